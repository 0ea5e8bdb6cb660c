"""A note that holds two topics, in English and in Chinese, and the plan of a model that takes it apart well."""

from __future__ import annotations

from typing import Any, Final

PARENT: Final = "digest/wiki/tokens.md"
KEYS: Final = "digest/procedure/rotate-signing-keys.md"
STORE: Final = "digest/wiki/token-storage.md"

ROTATION: Final = """\
The signing keys of the gateway are rotated every 7 days by a scheduled job, which [[digest/wiki/jwt.md|JWT]] needs. The job
publishes the new public key first, waits until every verifier has fetched the key set, and only then switches the signer.

- An emergency rotation is started with `rotate --now` and skips the waiting time of 90 minutes.
- Rotation must never run during a deployment window, since workers restart with stale caches.

![the order](rotation.png)
"""
STORAGE: Final = """\
Refresh tokens of the mobile client are stored in the system keychain, encrypted with a hardware backed secret.
The browser application keeps them in a cookie that scripts cannot read.

> [!conflict] How long a lost phone stays signed in
> Support says 5 minutes, the handbook says an hour.

extends:: [[jwt]]
"""
SOURCES: Final = """\
## Sources

- derived_from:: [[daily/2026-06-19.md]]
- derived_from:: [[daily/2026-06-20.md]]
"""
HEAD: Final = "---\nname: Tokens\ndescription: All about tokens.\ntags: [auth]\nrelated: '[[jwt]]'\n---\n\n"
INTRODUCTION: Final = "Tokens say who somebody is, and the gateway checks them.\n"
TEXT: Final = f"{HEAD}{INTRODUCTION}\n## Rotation\n\n{ROTATION}\n## Storage\n\n{STORAGE}\n{SOURCES}"

VAULT: Final[dict[str, str | bytes]] = {
    PARENT: TEXT,
    "digest/wiki/rotation.png": b"\x89PNG",
    "digest/wiki/jwt.md": "---\nname: JWT\ndescription: d\n---\nSigned. See [[tokens]].\n\nderived_from:: [[daily/2026-06-19.md]]\n",
    "daily/2026-06-19.md": "# Friday\n\nKeys. [[tokens#Rotation]] and [[tokens#Storage]].\n",
    "daily/2026-06-20.md": "# Saturday\n\nPhones.\n",
    "vault.yaml": "maintain: {overload_tokens: 250}\n",
}


def good_plan() -> dict[str, Any]:
    """A plan under which everything stays: the picture, given from its folder, is now led to from another one."""
    return {
        "overview": (
            f"{INTRODUCTION}\n## Rotation\n\nThe gateway has [[{KEYS}|an order in which it rotates signing keys]].\n\n"
            f"Where clients keep their refresh tokens is told in [[{STORE}]]."
        ),
        "parts": [
            {
                "slug": "rotate-signing-keys",
                "bucket": "procedure",
                "name": "Rotate signing keys",
                "description": "In which order, and when not.",
                "body": f"{ROTATION}\n## Sources\n\n- derived_from:: [[daily/2026-06-19.md]]\n",
            },
            {
                "slug": "token-storage",
                "bucket": "wiki",
                "name": "Storage of tokens on clients",
                "description": "Where refresh tokens are kept.",
                "body": f"{STORAGE}\n## Sources\n\n- derived_from:: [[daily/2026-06-20.md]]\n",
            },
        ],
    }


CHINESE: Final = "digest/wiki/令牌.md"
LUNHUAN: Final = "网关的签名密钥每隔 7 天由定时任务轮换。任务先发布新的公钥，等所有验证方取到密钥集合以后才切换签名方。发布窗口期间绝不能轮换，因为工作进程会带着旧缓存重启。\n"
CUNCHU: Final = "移动端的刷新令牌保存在系统钥匙串里，用硬件密钥加密。浏览器应用把它放在脚本读不到的 cookie 中。手机丢失时由客服吊销整个家族的记录，5 分钟内生效。\n"
CHINESE_TEXT: Final = (
    "---\nname: 令牌\ndescription: 关于令牌的一切。\n---\n\n令牌说明来者是谁。\n\n"
    f"{LUNHUAN}\n{CUNCHU}\n## 来源\n\n- derived_from:: [[daily/2026-06-19.md]]\n"
)


def chinese_plan() -> dict[str, Any]:
    """The plan for the Chinese note."""
    source = "\n## 来源\n\n- derived_from:: [[daily/2026-06-19.md]]\n"
    return {
        "overview": "令牌说明来者是谁。密钥的更换见[[digest/procedure/密钥轮换.md|密钥轮换的次序]]，客户端怎样保存见[[digest/wiki/令牌存储.md|令牌的存储]]。",
        "parts": [
            {
                "slug": "密钥轮换",
                "bucket": "procedure",
                "name": "密钥轮换",
                "description": "轮换的次序。",
                "body": LUNHUAN + source,
            },
            {
                "slug": "令牌存储",
                "bucket": "wiki",
                "name": "令牌存储",
                "description": "存在哪里。",
                "body": CUNCHU + source,
            },
        ],
    }
