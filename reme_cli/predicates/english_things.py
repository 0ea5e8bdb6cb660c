"""The English phrasings of how things are related, and who cares for them. `config.phrasing` says how to read them."""

from __future__ import annotations

from typing import Final

PHRASINGS: Final = {
    "is_a": """
        X is/are a/an Y
        X kind/type/form/sort/example/instance/subclass/subtype/variety/species/variant of Y
        Y such as X
        X was/were/became/remains/being a/an Y
        X are/were all/both Y
        X kinds/types/forms/sorts/examples/instances/subtypes/variants/species/varieties/flavour/flavor/class/breed/genre/category/case/specimen of Y
        X classified/categorised/categorized/regarded/filed/classed/described/defined/listed/known as a/an Y
        X classified/categorised/categorized/regarded/classed as Y
        X falls/fall/falling under/into Y
        X counts/count/qualifies/qualify/ranks as a/an Y
        X counts/count/qualifies/qualify as Y
        X belongs/belong to … family/class/category/genre/genus of Y
        Y like/including X ; with kinds/types/examples/forms
        Y kinds/types/examples/instances/forms … include/includes/are/: X
        examples/instances/kinds/types of Y include/includes/are/: X
        example/examples/instance of Y is/: X
        type/kind/category/class/genre : Y
    """,
    "belongs_to": """
        X part/subset/member/members/subsidiary/component/module/division/branch/chapter/section/submodule/subproject of Y
        X belongs/belong/belonging/belonged to Y
        Y consists/consisting/composed/made of/up X
        Y comprises/comprising/comprised X
        X components/parts/subsidiaries/divisions/branches/modules/chapters/sections/unit/units/arm/wing/subunit/department/departments/subsystem/subsystems/subteam/squad/piece/pieces/portion/segment/subdivision/affiliate/element/elements/constituent/constituents/ingredient/volume/episode/layer/layers/stage of Y
        X one of … components/parts/subsidiaries/divisions/branches/modules/chapters/sections/units/teams/members/services/departments of/in/within Y
        X part/parts/component/components/module/modules/plugin/section/chapter in/inside/within Y
        X makes/make/made/making up Y
        X constitutes/constitute/form/forms/forming part/half/core of Y
        X sits/sit/lives/falls/reports/rolls under/within/inside/into Y ; with team/group/department/division/unit/umbrella/part/subsidiary/org/module
        X under … umbrella of Y
        X included/contained/bundled/embedded/nested/integrated/incorporated/packaged in/into/inside/within/with Y ; without located
        X ships/ship/bundled as part of Y
        X merged/folded/absorbed into Y
        X joined/joins Y as … member/part/division/subsidiary
        X belongs/belonging/belonged under/within/in Y
        X owned/controlled by Y ; with subsidiary/parent/division/group/holding
        Y made/composed/comprised/consists/consisting/consist/built/assembled/put up/of/from/together of/from X
        Y composed/comprised/consists/consisting/consist/assembled of/from X
        Y contains/contain/contained/containing/includes/include/included/including/encompasses/encompass/bundles/bundle/incorporates/houses X ; without round/investors/meeting/attendees/investor/participants/guests/advisors/syndicate/seed/board/room/audience
        Y divided/split/broken/subdivided into/down X
        Y has/have … parts/components/modules/subsidiaries/divisions/branches/teams/members/units/chapters/layers : X
        Y parent/umbrella of X
        Y 's parts/components/modules/subsidiaries/divisions/branches/members/units/subteams are/include/includes/: X
        Y parts/components/modules/subsidiaries/divisions/branches/members/units/subteams are/include/includes/: X
        X 's parent company/organisation/organization/team/project is/: Y
        parent/umbrella organisation/organization/company/project/team/system : Y
        parent/umbrella : Y
        part of : Y
        parts/components/modules/subsidiaries/contains/includes : X
    """,
    "caused_by": """
        X caused/triggered … by Y
        Y caused/causes/causing/triggered/triggers/triggering X
        X because/due of/to Y
        X result/consequence/effect/outcome of Y
        X resulted/results/stems/stemmed/arose/arises from Y
        Y resulted/results/resulting in X
        Y led/leads to X
        Y cause/reason/trigger of/for/behind X
        X root cause is/was Y
        X 's root cause is/was Y
        X blamed/attributed on/to Y
        X brought/set off/about/on by Y
        Y brought/brings/bringing about/on X
        Y set/sets off X
        X caused/triggered/provoked/induced/precipitated/prompted/sparked/produced/created/explained/driven … by Y ; without party/program/programme
        X provoked/induced/precipitated/prompted/sparked by Y
        Y provoked/provokes/induced/induces/precipitated/precipitates/prompted/sparked/sparks/produced/produces X
        Y gave/gives/giving rise to X
        Y responsible/blame/blamed for X ; with outage/incident/failure/bug/crash/error/cause/root/delay/loss/problem/leak/fire/drop
        Y to blame for X
        Y behind X ; with outage/incident/failure/bug/crash/error/cause/root/delay/loss/problem/leak/fire/drop/spike
        Y leading/lead/led/leads to X ; without meeting
        Y results/result/resulted/resulting in X
        Y source/origin/culprit/driver/origins of/for/behind X ; with outage/incident/failure/bug/crash/error/cause/root/delay/loss/problem/leak/drop/spike/culprit/driver
        Y culprit/trigger/explanation/reason/root cause/behind/of/for behind/of/for X
        Y culprit/trigger/explanation/reason behind/of/for X
        Y contributed/contributes to X
        Y reason … for/behind X
        X results/resulting/resulted/stems/stemming/stemmed/arose/arises/arising/follows/followed/comes/came/originated/originates from Y ; with outage/incident/failure/bug/crash/error/cause/result/delay/loss/problem/leak/stems/stemming/stemmed/resulted/results/resulting/arose/arises/arising
        X consequence/result/effect/outcome/product/symptom/fallout/upshot/byproduct/by-product/aftermath/side-effect of/from Y
        X due/owing/thanks/attributable/traceable/down to Y
        X because of Y
        X traced/tracked/attributed/ascribed/put/pinned/blamed back/down to/on Y
        X traced/attributed/ascribed/pinned/blamed to/on Y
        X down to Y
        X cause/causes/reason/reasons/culprit/trigger/explanation … is/are/was/were/being/: Y
        X 's cause/causes/reason/reasons/culprit/trigger/explanation … is/are/was/were/being/: Y
        X happened/occurred/broke/failed/crashed because/due of/to Y
        cause/causes/reason/culprit/trigger/caused of/for/behind X was/is/were/are/: Y
        cause/causes/cause(s)/reason/culprit/trigger/causes : Y
        root cause/causes : Y
        root cause/causes was/is/were/are Y
        cause/culprit/trigger/reason was/is/were/are/: Y ; with cause/culprit/trigger
        caused/triggered by : Y
    """,
    "derived_from": """
        X derived/derives/adapted/excerpted/extracted/distilled/summarised/summarized/translated/drawn/condensed/compiled from Y
        X based/builds/building on/upon Y
        X inspired/informed by Y
        Y inspired X
        Y basis/source for/of X
        X derived/derives/deriving/adapted/excerpted/extracted/distilled/summarised/summarized/translated/drawn/condensed/compiled/taken/borrowed/lifted/copied/ported/abridged/computed/calculated/generated/assembled/sourced/collected/obtained/cut/pieced/stitched/synthesised/synthesized/transcribed/descended/forked/cribbed/quoted/exported/built/aggregated/reworked/rewritten/edited/shortened/digested/boiled/imported/pulled/scraped/gathered/made/written/produced from Y ; without office/money/funding/round
        X drawn/draws/drawing/boiled/digested down/on/upon/from/heavily from/on Y
        X stems/comes/originates/originated/came from Y ; with data/idea/text/figures/numbers/recipe/quote/material/content/code/design/version/readings/taken/draft/notes/list/table
        X based/builds/building/built/modelled/modeled/grounded/rooted/premised on/upon/after Y ; without top
        X inspired/informed/influenced/motivated … by Y ; without meeting
        X inspired/informed/influenced by Y
        X takes/took/taking/draws/drew/drawing … inspiration/cue/ideas/data/material from Y
        X takes/took/draws/drew/borrows/borrowed/pulls/reuses/uses … from Y ; with data/idea/ideas/inspiration/figures/numbers/material/heavily/borrows/borrowed/draws
        X adaptation/translation/excerpt/summary/abridgement/abridgment/digest/transcript/derivative/extract/condensation/distillation/rendering/paraphrase/spin-off/spinoff/fork/port/remix/retelling/outgrowth/offshoot of/from Y
        X condensed/shortened/abridged/adapted/simplified/translated/edited/extended/derived/reworked version/edition/copy/form/variant of/from Y
        X according/follows/following to/after Y ; with derived/adapted/written/compiled/computed/calculated
        Y served/serves/acted/acts as … basis/source/template/starting/foundation/model/inspiration for/of/point X
        Y basis/source/template/inspiration/foundation/raw for/of/behind/material X
        Y source/basis/origin/inspiration of/for/behind X
        Y gave/provided/supplied … data/basis/idea/material for X
        Y adapted/turned/made/distilled/condensed/summarised/summarized/translated/reworked into X ; without supersedes
        Y inspired/informs/informed/feeds/fed/underlies/underpins X ; without round
        source/sources/origin/basis/reference of/for X is/was/are/were/: Y
        source/sources/origin/basis/based/derived/adapted/extracted/data from/on/source : Y
        source/sources/origin/basis/inspiration : Y
        X 's source/sources/origin/basis is/are/was/were/: Y
        based/derived/adapted on/from : Y
    """,
    "evolved_from": """
        X evolved/evolves/grew/descended/descends … from/of Y
        X supersedes/superseded/replaces/replaced/obsoletes/supplants/supplanted/deprecates Y
        Y superseded/replaced/obsoleted/supplanted … by X
        X successor to/of Y
        Y predecessor of/to X
        Y evolved/evolves/grew/developed/morphed/turned into X
        X replacement for/of Y
        X new/newer/newest/revised/updated version of Y
        X rewrite/revision/continuation of Y
        X evolved/evolves/grew/descended/descends/developed/emerged/sprang/morphed/branched … from/of Y
        X evolution/descendant/heir/follow-up/followup/sequel/reincarnation/rework/overhaul/upgrade/modernisation/modernization/rewrite/redesign/reimplementation/reboot of/to/from/for Y
        X successor/successors/replacement/replacements/substitute/drop-in of/to/for/replacement Y
        X takes/took/taking the place of Y
        X takes/took/taking over from Y
        X made/makes/making/rendered/renders Y obsolete/redundant/unnecessary
        X stands/stood/fills/filling in for Y ; with replaced/retired/deprecated
        X phased/phases/phasing out Y
        X retired/retires/retiring/deprecates/deprecated/ousted/ousts/displaced/displaces/succeeded/succeeds/replacing/superseding/superceded/supercedes/overrides/overrode/subsumes/subsumed Y ; without resigned
        X supplants/supplanted/supplanting/obsoleting/replace/supersede/obsolete Y
        X used/adopted/introduced/deployed instead of Y ; with replace/replaced/old
        X new/newer/newest/revised/updated/modernised/modernized/improved/rewritten/second/third/latest/current/next/upgraded version/edition/generation/revision/incarnation/iteration of Y
        Y superseded/replaced/obsoleted/supplanted/succeeded/displaced/ousted/followed/deprecated/retired/swapped/discontinued/dropped/abandoned/removed in favor/favour of X
        Y superseded/replaced/obsoleted/supplanted/succeeded/displaced/ousted/subsumed … by/with X
        Y swapped/switched/exchanged/traded/ditched/dropped/retired/migrated for/to/out/from X ; with replaced/old/legacy/swapped/exchanged/traded/ditched/retired
        Y gave/gives/giving way to X
        Y became/becomes/turned/turns/evolved/morphed/grew/developed/transformed/matured into X
        Y later/now became X
        Y predecessor/precursor/forerunner/ancestor/prototype/forebear of/to/for X
        Y made/rendered obsolete/redundant by X
        Y obsolete since/by/after/because X
        X 's predecessor/predecessors/precursor/forerunner is/was/: Y
        Y 's successor/replacement/successors is/was/: X
        predecessor/predecessors/replaces/supersedes/precursor : Y
        successor/replacement/successors : X
        superseded/replaced/obsoleted/succeeded by : X
        use X instead of Y ; with deprecated/old/legacy/obsolete/replaced/retired
        switched/moved/migrated/upgraded/switching/migrating from Y to X ; without office/city/town/job
    """,
    "contradicts": """
        X contradicts/contradict/contradicted/refutes/refuted/disproves/disproved/disputes/disputed/contradicting/rebuts Y
        X conflicts/conflict/disagrees/clashes/inconsistent/incompatible with Y
        X at odds with Y
        X contrary to Y
        Y contradicted/refuted/disproved/disputed/rebutted … by X
        X in contradiction/conflict with/to Y
        X contradicts/contradict/contradicted/contradicting/refutes/refute/refuted/refuting/disproves/disprove/disproved/disputes/dispute/disputed/rebuts/rebut/rebutted/negates/negate/negated/falsifies/falsify/falsified/invalidates/invalidate/invalidated/debunks/debunk/debunked/opposes/opposed/challenges/challenged/undermines/undermined/undercuts/undercut/counters/countered/belies/belied/overturns/overturned/contravenes/contravened/violates/violated/defies Y ; without court/appeal/battery
        X conflicts/conflict/conflicted/conflicting/disagrees/disagree/disagreed/clashes/clash/clashed/clashing/inconsistent/incompatible/irreconcilable/collides with Y
        X goes/go/went/runs/ran/flies/stands/speaks/argues/argued/cuts against/counter/contrary to/of Y
        X runs/ran/running/goes/contrary/counter counter/contrary to Y
        X runs/ran counter/contrary to Y
        X flies/flew in the face of Y
        X goes/went/argues/argued/speaks/testifies/evidence against Y ; without round/bet
        X in … conflict/contradiction/disagreement/tension/opposition with/to Y
        X stands in … conflict/contradiction/opposition with/to Y
        X at odds/variance with Y
        X opposite/contrary/refutation/rebuttal/counterexample/counterargument/antithesis/negation/contradiction/counterpoint/disproof of/to Y
        X mutually exclusive/incompatible with Y
        X contradicts/contradict/refutes/refute/disputes/dispute/disproves/disprove/undermines/undermine … claim/claims/argument/finding/findings/conclusion/conclusions/result/results/thesis/assumption … in/of/from Y
        X hard to reconcile with Y
        X cannot/n't be reconciled/squared with Y
        X differs/differ/diverges/diverge sharply/completely/flatly from Y
        X proves/proved/shows/showed/shown Y wrong/false/mistaken/incorrect
        X tells/says/claims/finds/found/reports/states/shows opposite/reverse of Y
        Y contradicted/refuted/disproved/disproven/disputed/rebutted/falsified/invalidated/debunked/challenged/undermined/undercut/countered/overturned/belied … by X
        Y proven/proved/shown wrong/false/mistaken/incorrect by X
        contradiction/conflict/contradictions/discrepancy/inconsistency/clash/disagreement/tension between X and Y
        contradicts/contradiction/conflicts/refutes/disputes with/to : Y
        contradicted/refuted/disputed by : X
    """,
    "depends_on": """
        X depends/depend/relies/rely/depended/relied/relying/depending on/upon Y
        X dependent/reliant on/upon Y
        X requires/require/required/needs/need Y
        Y required/needed by/for X
        Y prerequisite/dependency/requirement for/of X
        X blocked/gated by/on Y
        X prerequisite/dependency/prerequisites/dependencies is/are/: Y
        X depends/depend/relies/rely/depended/relied/relying/depending/leans/lean/leaned/hinges/hinge/hinged/rests/counts/counting/rides/banks/builds/runs/sits/layered/contingent/predicated/conditional … on/upon Y ; without advisory ; with depends/depend/relies/rely/depended/relied/leans/hinges/hinge/hinged/contingent/predicated/conditional/service/library/system/module/layer/top/app/api
        X depends/depend/relies/rely/depended/relied/leans/hinges/hinge/hinged/rests/contingent/conditional … on/upon Y ; without advisory
        X built/builds/layered/runs/sits/sitting/implemented/stands/based/written/rests on top of Y
        X built/implemented/written/layered/powered/backed/driven/underpinned/supported by/on/with/using Y ; with powered/driven/service/library/app/application/underpinned/layered/api/framework/system/engine/tool/module
        X powered/driven/underpinned/fed by Y ; without investor/round
        X runs/run/running/ran on Y ; without office/battery
        X uses/use/using/used/consumes/consume/imports/import/calls/wraps/invokes/queries/reads Y ; with service/library/module/component/dependency/internally/api/backend/database/hood/package/storage
        X requires/require/required/requiring/needs/need/needed/needing/presupposes/presuppose/assumes/expects/demands/wants/necessitates Y ; without money/help/to
        X cannot/can not/n't/start/run/work/function/operate/boot/build/exist/live/survive … without Y
        X not/n't/cannot work/works/start/starts/run/runs/function/functions/operate/exist/boot/compile/survive/move/go/deploy … without Y
        X useless/dead/nothing/impossible/unusable/breaks/fails/stops/halts/down without/unless/if/whenever Y
        X waits/wait/waiting/pending/stuck/hangs/queued/blocked/gated/held for/on/by/until/up Y ; without meeting
        X blocked/gated/bottlenecked/constrained … by/on Y
        X client/consumer/user/dependent/dependant/dependents of/on/upon Y ; with service/library/module/component/dependency/api/backend/database/dependent/dependant
        X dependent/reliant/dependant/contingent/conditional/predicated … on/upon Y
        X has/have/had/takes/declares … dependency/dependencies/dependence on/upon Y
        X dependency/dependence/reliance/dependencies on/upon Y
        X prerequisite/prerequisites/requirement/requirements/dependencies/dependency … is/are/include/includes/: Y
        X 's prerequisite/prerequisites/requirement/requirements/dependencies/dependency … is/are/include/includes/: Y
        Y required/needed/used/consumed/imported/called/relied/depended on/upon/by/for X ; with service/library/module/component/dependency/internally/api/backend/database/required/needed/relied/depended/system/tool
        Y relied/depended/leaned on/upon by X
        Y prerequisite/dependency/requirement/precondition/foundation/necessary/essential/indispensable/requisite/backbone/underpinning for/of/to X
        Y underpins/underpin/powers/power/supports/enables/underlies/backs/serves/feeds/unblocks/drives X ; with service/library/module/component/dependency/api/backend/database/system/app/powers/underpins/platform/tool/enables/unblocks
        Y blocks/block/blocking/gates/gating X ; without meeting
        dependencies/dependency/prerequisites/prerequisite/requires/requirements/needs : Y
        depends/relies/blocked on/by/upon : Y
        required/needed/used by : X
    """,
    "located_in": """
        X located/based/headquartered/situated/lives/live/living/resides/residing in/at/near/outside Y
        X based out of Y
        X operates/operating/works/working out of Y
        X headquarters/office/offices/hq in/at Y
        X lived/resided in/at/near Y ; past
        Y home to/of X
        X moved/relocated to Y ; without meeting/standup
        X located/based/headquartered/situated/lives/live/living/resides/residing/housed/stationed/sited/nestled/found/stands/stood/sits/lies/lying/settled/dwells/placed/hosted/kept/stored/positioned/anchored/registered/domiciled/resident/hangs/hung/installed/displayed/parked in/at/near/outside/inside/within/by/beside/under/behind/off/above Y ; without board/meeting/advisory/round/committee/prod/production/council/middle/panel
        X located/based/situated/headquartered/housed/found/stationed/sited … in/at/near/inside/within/outside Y ; without board/meeting
        X located/situated/stands/stood/sits/lies/lying/lives/found/housed/hangs/hung on Y ; with street/road/avenue/square/floor/island/coast/hill/river/quay/shelf/bank/campus/lane/corner/shore/pier
        X located/based/headquartered/situated/housed/live/lives/found here
        X lives/resides/dwells/settled … in/near/outside Y
        X operates/operated/operating/works/working/run/runs/ran out of/from Y ; with office/based/out/headquarters/studio/workshop
        X headquarters/office/offices/hq/studio/workshop/campus/base/factory/plant/shop/address/premises/lab in/at/near/is/are/: Y
        X 's headquarters/office/offices/hq/studio/workshop/campus/base/factory/plant/address/premises/location is/are/in/at/near/: Y
        X has/have/had/keeps/opened/maintains/rents … office/offices/headquarters/hq/studio/workshop/base/shop/branch/campus/factory/premises … in/at/near Y
        X makes/made/calls/called/has … home in/at Y
        X calls/called Y home
        X moved/relocated/relocates/moves/emigrated/shifted/decamped/transferred … to Y ; without meeting/standup/role/team/job/tasks/stack/database/service/code/traffic/data/queries
        X resident/residents/inhabitant/native of/in Y
        X occupies/occupied/inhabits/inhabited Y ; with floor/building/house/office/block/wing/street/town/suite/warehouse
        X lived/resided/stood/dwelt/located/based/situated in/at/near Y until ; ended
        X stood/sat/lay/hung in/at/near/on Y ; with building/street/square/factory/house/until/century/from/between/tower/city/town/room
        Y home/host/site/seat to/of/for X
        Y houses/hosts/hosted/housed/accommodates/shelters/harbours/harbors X ; without meeting/podcast/party/panel/workshop/session/show/call
        find/visit X in/at/inside/near/on Y ; with located/behind/floor/door/room/building/street/next/corner/basement/upstairs
        location/address/place/headquarters/hq/city/based/where/office/venue/site/lives in/: : Y
        location/address/headquarters/hq/city/office/venue/site : Y
        based/located/lives in : Y
    """,
    "responsible_for": """
        X responsible/accountable for Y
        X owns/maintains/manages/runs/oversees/heads/handles/own/maintain/manage/oversee/owning/maintaining/managing/running/overseeing Y
        X leads/lead/leading Y ; without round/seed/series/investment/investor/pre-seed/investors
        X owned/maintained/managed/oversaw/headed/handled Y ; past
        X ran Y ; past ; without survey/poll/test/tests/experiment/trial/study/interview/interviews/marathon/race/query/script/analysis/numbers/check/errand
        X in charge of Y
        X looks/look after Y
        X takes/take care of Y
        X owner/maintainer/dri/custodian/steward/caretaker of/for Y
        X tech/team/project lead of/for/on Y
        Y owned/maintained/managed/run/overseen/headed/handled/led … by X ; without round/seed/series/investment/investor/pre-seed
        Y 's owner/maintainer/dri/lead X
        Y owner/maintainer/dri/owners/maintainers is/are/: X
        owner/maintainer/dri/owners/maintainers : X
        Y assigned/entrusted to X
        X responsible/accountable/answerable/responsibility/on-call/liable for Y
        X owns/maintains/manages/runs/oversees/heads/handles/supervises/administers/operates/steers/directs/coordinates/stewards/tends/curates/supervising/administering/operating/directing/coordinating Y ; without round/series
        X supervised/administered/operated/directed/coordinated/curated Y ; past
        X lead/leads/administrator/admin/coordinator/keeper/curator/guardian of/for Y ; without round/seed/series/investment/investor/company/startup/firm
        X looked/looking/looks/look after Y
        X took/taking/takes/take charge/care/ownership/responsibility of/for Y
        X sees/saw to Y
        X tasked/charged/entrusted with Y
        X contact/contact-person/go-to/point/on-call person/for/of for/on Y
        X keeps/kept Y running/alive/going/tidy
        X assigned to Y
        X in/has/have/had/holds/took/takes charge/ownership/responsibility/control of/for Y
        Y looked/cared/seen after/for/to by X
        Y owned/maintained/managed/run/overseen/supervised/administered/operated/coordinated/curated/kept/tended/stewarded … by X ; without round/seed/series/investment/investor/pre-seed
        Y responsibility/domain/duty/baby/remit of X
        Y responsibility lies/rests/with with X
        Y under … care/supervision/responsibility/ownership/management of X
        Y in the hands/care of X
        Y handed/passed over/on to X
        Y assigned/entrusted/delegated/given/belongs to X ; with owner/responsible/ownership/assigned/entrusted/delegated
        Y 's … owner/maintainer/dri/lead/manager/keeper/custodian/steward/caretaker is/: X
        responsibility for Y lies/rests/falls with/on/to X
        responsible/accountable/owner/maintainer/lead/dri/contact/owned/maintained by/: : X
        responsible/accountable/owner/maintainer/assignee/maintainers/custodian/steward : X
        owned/maintained/managed/run by : X
    """,
    "prefers": """
        X prefers/prefer/favors/favours/preferring/favoring/favouring Y
        X preferred/favored/favoured Y ; past
        X prefers/prefer/likes to use Y
        X preference for/is Y
        X 's preference is Y
        X fan of Y
        X fond of Y
        X favorite/favourite … is Y
        X 's favorite/favourite … is Y
        X partial to Y
        Y preferred/favored/favoured by X
        X prefers/prefer/preferred/favors/favours/likes/loves/loved/liked/adores/enjoys/enjoyed/chooses/picks/champions/fancies/cherishes/relishes/loving/liking Y ; without would/meeting/investor
        X prefers/prefer/preferred/likes/loves/loved/tends/opts/opted/chose/chooses/wants to use/take/drink/eat/work/write/read/have/buy/wear/ride/order/play/with … Y
        X prefers/preferred/loves/likes/enjoys/favours/favors using/taking/drinking/eating/working/writing/reading/having/wearing/riding/ordering/playing/with … Y
        X would rather/sooner … use/take/drink/eat/work/write/read/have/buy/wear/ride/order/play/with/go Y
        X rather/sooner use/take/drink/eat/work/write/read/have/buy/wear/ride/order/play/go/uses/takes/drinks/eats Y
        X swears/sworn/swore by Y
        X sticks/stuck to/with/by Y ; with always/prefers/favourite/favorite/over/rather/likes
        X always goes/reaches/went/reached/opts/picks/chooses for/to Y
        X opts/opted/goes/reaches/leans/gravitates for/towards/toward Y ; with always/over/rather/whenever/every/usually/prefers/likes
        X gravitates towards/toward/to Y
        X partial/devoted/attached/loyal/addicted/faithful to Y
        X fan/fans/lover/devotee/admirer/enthusiast/supporter of Y
        X fond/keen/enamoured/enamored of/on/with Y ; without ask
        X soft/weakness spot/for for Y
        X preference/taste/fondness/liking/weakness/love for/is/: Y
        X has/have/had/showed/shows … preference/taste/fondness/liking/weakness/love for Y
        X preferred/favorite/favourite/go-to/beloved … is/was/are/remains/: Y
        X 's preferred/favorite/favourite/go-to/beloved … is/was/are/remains/: Y
        X 's favorite/favourite … Y
        X choice/pick/tool/editor/drink is/was/: Y ; with preferred/favourite/favorite/choice
        Y preferred/favored/favoured/loved/liked/beloved/favourite/favorite … by/of X
        Y favourite/favorite/choice/preference of/for X
        preference/prefers/favourite/favorite/favourites/favorites/preferences : Y
    """,
}
"""By predicate, one a line."""
