"""The English phrasings of each predicate. `config.phrasing` says how to read them."""

from __future__ import annotations

from typing import Final

_OCCUPATION: Final = (
    "engineer/developer/programmer/designer/manager/director/vp/head/ceo/cto/cfo/coo/cmo/cpo/ciso/president/partner/principal"
    "/associate/analyst/researcher/scientist/professor/lecturer/teacher/intern/employee/architect/editor/writer/lawyer/nurse"
    "/doctor/physician/accountant/recruiter/salesperson/administrator/fellow/postdoc/technician/executive/officer/secretary"
    "/strategist/economist/statistician/producer/reporter/journalist/librarian/curator/chemist/biologist/physicist/staff"
)
_TITLE: Final = "ceo/cto/cfo/coo/cmo/cpo/ciso/president/chairman/chairwoman/director/head/vp"
_ROUND: Final = "round/seed/series/pre-seed/financing/extension/raise/funding/investment/syndicate"
_COMPANY: Final = (
    "company/startup/start-up/firm/business/venture/agency/studio/founder/shop/practice/outfit/consultancy/nonprofit/charity/foundation"
    "/cooperative/collective/brewery/bakery/boutique/label/publisher/workshop/restaurant/own/from/scratch"
)
_MACHINE: Final = (
    "server/environment/account/meeting/call/machine/vm/cluster/repo/repository/pipeline/dashboard/script/job/alert/test/template/page"
    "/domain/proxy/database/network/router/tunnel/webhook/bot/mirror"
)
_OBSERVER: Final = "board/advisor/adviser/advisory/advisors/observer/mentor/investor/investors/meeting/call/session/round/discussion"

PHRASINGS: Final = {
    "founded": f"""
        X founded/co-founded/cofounded/founds/co-founds/founding/co-founding/established/incorporated/incorporates Y
        X to found/co-found Y
        X set up Y ; with {_COMPANY}
        X started/launched/created/starting/launching/builds/built Y ; with {_COMPANY}
        X founder/co-founder/cofounder/founders/co-founders/cofounders of/at/behind Y
        X founder/co-founder/cofounder and … of Y
        Y founded/co-founded/cofounded/established/incorporated … by X
        Y started/launched/created … by X ; with {_COMPANY}
        Y founder/co-founder/cofounder/founders/co-founders/cofounders X
        Y founder/co-founder/cofounder/founders/co-founders/cofounders is/are/was/were/include/includes/including/: X
        Y 's founder/co-founder/cofounder/founders/co-founders X
        founder/co-founder/cofounder/founders/co-founders of Y , X
        Y brainchild of X
        Y set up … by X ; without {_MACHINE}
        X got Y off the ground
        X brought/brings Y to life/being
        X brings/brought into being Y
        Y creation/invention of X ; with {_COMPANY}
        Y founding partner/partners/team/member/members is/are/was/were/include/includes/: X
        X founding partner/partners/ceo/cto of Y
        X one of … founders/co-founders/cofounders of Y
        X among … founders/co-founders/cofounders of Y
        Y among whose founders/co-founders are/is X
        Y counts/count X among … founders/co-founders
        founder/co-founder/founders/co-founders : X
        founded/co-founded/cofounded by : X
        established/incorporated by : X
        Y founded/co-founded/established in … by X
        X teamed up … to found/start/launch/establish/co-found Y
    """,
    "works_at": f"""
        X works/working/work at/for Y
        X works/working/work as … at/for Y
        X worked at/for Y ; past
        X worked as … at/for Y ; past
        X joined/joins/joining/rejoined/rejoins/join Y ; without {_OBSERVER}
        X employed/hired/recruited by Y
        Y hired/hires/employs/recruited X ; without recruiter
        X joined/joins/joining as … {_OCCUPATION} ; without {_OBSERVER}
        X {_OCCUPATION} at Y
        X {_OCCUPATION} and … at Y
        X {_OCCUPATION} for … at Y
        X {_OCCUPATION} of … at Y
        X {_OCCUPATION} on … at Y
        X {_TITLE} of Y
        Y 's {_TITLE} X
        Y {_TITLE} X
        X left/leaves/quit/quits/departed Y ; ended
        former/ex Y {_OCCUPATION} X ; ended
        X employee/staffer of Y
        X employed/works/working/worked at/with Y
        X employed/engaged … by/at/with Y
        X on/joins/joined staff/payroll of/at Y
        X on the staff/payroll of/at Y
        X {_OCCUPATION} with/in Y ; without {_OBSERVER}
        X {_OCCUPATION} of Y ; without {_OBSERVER}
        X {_OCCUPATION} … at Y
        X took/takes/took/accepted/landed/started/has/had/holds/held job/position/role/post/internship … at/with Y ; without {_OBSERVER}
        X took/takes/accepted/landed/started/has/had/holds/held … job/position/role/post/internship at/with Y ; without {_OBSERVER}
        X started/starts/began/begins … at Y ; with engineer/job/role/position/work/intern/career/analyst/designer
        X interned/interns/freelanced/temped/clerked/apprenticed at/for Y ; past
        X spent … years/months/decade/decades/summers/summer at Y ; past
        X teaches/lectures/consults/nurses/cooks/codes/programs/researches at Y
        X taught/lectured/cooked/researched at Y ; past
        X draws/earns … salary/paycheck/living at/from Y
        X employer is/was/: Y
        X 's employer is/was/: Y
        Y employees/staff/team/workforce/hires include/includes/including/: X
        Y 's employees/staff/team/workforce/hires include/includes/including/: X
        Y 's … {_OCCUPATION} X
        Y {_OCCUPATION} X
        Y took on/hired/brought/onboarded X as … {_OCCUPATION}
        Y employee/employees/staffer/engineer X
        employer/company/workplace/affiliation : Y
        employees/staff/team members : X
        X resigned/retired/departed from Y ; ended
        X ex/ex-employee/alumnus/alumna/veteran/alum of Y ; ended
        X employed by Y until ; ended
        X stepped down from/at Y ; ended
        X fired/dismissed/sacked/laid off by/from Y ; ended
    """,
    "invested_in": f"""
        X invested/invests/invest/investing in Y
        X invested/invests/invest/investing … in Y
        X investor/investors/backer/backers/shareholder/shareholders in/of/behind Y
        X backed/backs/backing/funded/funds/financed/finances/bankrolled Y
        Y backed/funded/financed/bankrolled … by X
        Y investor/investors/backer/backers/shareholders/supporters include/includes/including/are/were/is/was/:/like X
        Y investor/investors/backer/backers … include/includes/including X
        Y syndicate/group … include/includes/including X ; with investor/investors/{_ROUND}
        syndicate/group/investors … includes/include/including X ; with {_ROUND}
        Y funding/backing/investment/money/capital/support/check/cheque … from X ; with {_ROUND}/backing/capital/angel/investors/check/cheque
        X led/leads/leading/co-led/anchored … round/seed/series/investment/financing/funding … in/for/of/into Y
        X led/leads/leading/co-led/anchored Y 's … round/seed/series/investment/financing
        X led/leads/leading/co-led/anchored Y … round/seed/series/investment/financing
        X led/leads/leading/co-led/anchored … round/seed/series/investment/financing/pre-seed
        X leading/leads/led ; with {_ROUND}
        Y 's … round/seed/series/financing/investment … led/co-led/anchored by X
        round/seed/series/financing/investment/pre-seed … led/co-led/anchored by X
        Y raised/raises/raising/secured … from X
        round/seed/series/financing/pre-seed … with X participating
        participation from X ; with {_ROUND}
        X participating/participated/participates/participate ; with {_ROUND}
        X participated/participates/participating in … round/seed/series/extension … for/of/at Y
        X participated/participates/participating in Y … round/seed/series/extension
        X participated/participates/participating in … round/seed/series/extension
        X joined/joins/joining … round
        X lead investor ; with {_ROUND}
        X wrote/writes … check/cheque ; with {_ROUND}/angel/first/early
        X commits/committed … round/investor/lead
        X put/puts … into Y
        X bought/buys/holds/owns/acquired/took … stake/shares in/of Y
        X portfolio includes/include … Y
        X put/puts/putting/poured/pours/sank/sinks/ploughed/plowed/injected/wired … into Y
        X put/puts in … ; with {_ROUND}/capital/angel
        X money/capital/funds in Y
        X provided/provides/supplied/contributed … funding/capital/money/financing to/for Y
        X wrote/writes/cut … check/checks/cheque/cheques to/for/into Y
        X bought/buys/buying into Y
        X seeded/seeds/bankrolls/financing/funding/underwrote/capitalised/capitalized Y
        X stake/stakes/shares/shareholding/equity in/of Y
        X owns/holds/took/takes/has/acquired … stake/shares/equity/percent/% in/of Y
        X took/takes/taking part in Y 's … round/seed/series/extension
        X took/takes/taking/participated/participates/participating part in … round/seed/series/pre-seed of/for/at Y
        X took/takes/taking part in … round ; with {_ROUND}
        X among … investors/backers/shareholders of/in/behind Y
        X one of … investors/backers/shareholders of/in/behind Y
        Y counts/count X among … investors/backers/shareholders
        Y seeded/bankrolled/capitalised/capitalized/underwritten … by X
        Y money/capital/funding/investment/cheque/check/backing came/comes from X
        Y money/capital/funding/investment/backing/cash from X ; with {_ROUND}/backing/capital/angel/investors/check/cheque
        Y received/receives/took/got/won/attracted/accepted … from X ; with investment/money/funding/capital/cheque/check/million/seed/round
        Y 's … investor/investors/backer/backers/shareholder/shareholders X
        Y investor/backer/shareholder X
        X angel/lead/seed/early investor/backer in/of Y
        investors/investor/backers/backer/shareholders/funders : X
        backed/funded/financed by : X
        portfolio/investments/holdings : Y
    """,
    "advises": """
        X advises/advised/advise/advising Y
        X advises/advising on
        X advisor/adviser/advisors/advisers/mentor to/of/at/for/with Y
        X advisor/adviser/advisors/advisers … to/at/for Y
        Y advised/mentored … by X
        X joined/joins/joining Y as … advisor/adviser
        X joined/joins/joining Y 's advisory board/council
        X joined/joins/joining Y advisory board/council
        X joined/joins/joining … as … advisor/adviser
        X came/comes/coming/signs/signed/brought/announced/appointed/named/serves/served/serving/acts/onboarded … as … advisor/adviser
        X joined/joins/joining … advisory board/council
        X sits/sit/serves/serve/served on Y 's advisory board/council
        X sits/sit/serves/serve/served on … advisory board/council of/at Y
        Y advisors/advisers/advisor/adviser include/includes/including/are/is/: X
        Y advisory board/council/team/group … includes/include/including/with X
        Y 's advisory board/council/team/group … includes/include/including/with X
        Y 's advisor/adviser/advisors X
        advisor/adviser X
        X advisory role/roles/relationship/relationships/work/engagement/engagements/agreement/position/capacity at/with/for Y
        advisory side , X
        advisory side , … leans/relies/counts/depends on X
        advisory side , … brought … in X
        advisory side , … has/brought/added/works/working/worked … with/in/on/added/brought/onboarded X
        advisory side , … brought/added/includes/features/has X
        advisory support/help/guidance/input … from X
        advised … by X
        X advises/advised/advise/advising/counsels/counseled/counselled/counselling/mentors/mentored/mentoring/coaches/coached/coaching/guides/guided Y ; without meeting
        X long-time/longtime/senior/technical/scientific/strategic advisor/adviser/mentor/consultant to/of/at/for/with Y
        X consultant/counsel/counsellor/counselor/coach/mentors to/for/of Y
        X consults/consulted/consulting for/with Y
        X gives/gave/giving/offers/offered/provides/provided/lends/lent … advice/guidance/counsel to Y
        X provides/provided/gives/gave/offers/offered Y with/strategic/technical advice/guidance/counsel
        X serves/served/serving/acts/acted/acting Y as … advisor/adviser/mentor/consultant
        X serves/served/serving/acts/acted/acting as … advisor/adviser/mentor/consultant to/of/at/for/with Y
        X retained/engaged/hired/brought/appointed/named … as … advisor/adviser/mentor/consultant by/to/of/at/for Y
        Y retained/engaged/hired/appointed/named X as … advisor/adviser/mentor/consultant
        Y counselled/counseled/coached/guided … by X
        Y advice/guidance/counsel of/from X
        Y receives/receiving/gets/takes/took/sought/relies … advice/guidance/counsel of/from X
        Y turns/turned/goes/went to X for … advice/guidance/counsel
        Y has/have/had X as … advisor/adviser/mentor
        Y counts/count X among … advisors/advisers/mentors
        X one of … advisors/advisers/mentors of/to/at/for Y
        X among … advisors/advisers/mentors of/to/at/for Y
        X seat/place/spot on Y 's advisory board/council
        X advisory/scientific board/council/committee of/at/for Y
        X member of … advisory board/council/committee of/at/for Y
        X member of Y 's … advisory board/council/committee
        Y 's … advisor/adviser/advisors/mentor X
        advisor/adviser/advisors/advisers/mentor/mentors : X
        advised by : X
    """,
    "attended": """
        X attended/attends/attending Y
        X attended/attends ; in meeting
        Y attended … by X
        X attendee/attendees/participant/participants/speaker/speakers/panelist at/of/in Y
        Y attendees/attendee/participants/participant/attending/present/attendance include/includes/including/included/were/was/are/: X
        attendees/participants/attendee/participant/group/contingent … include/includes/including/included/were/was/: X ; in meeting
        present/attendance/attending/attended : X
        X took/takes part in Y
        X participated/participates/participating in Y ; without round/seed/series/funding/extension
        X joined/joins/joining Y ; with meeting/call/session/standup/workshop/sync/retro/offsite
        X spoke/spoken/presented/presents/keynoted at Y
        X came/went to Y ; with meeting/call/session/standup/workshop/sync/retro/offsite/conference/party/event
        X present/presented/presents/presenting/facilitated/facilitates/chaired/chairs/hosted/hosts/moderated/kicked/opened/closed ; in meeting
        X dialed/dialled/called/joined/joins/joining/sat/showed/stopped/stuck/rounded/arrived ; in meeting
        X raised/raises/asked/asks/noted/notes/argued/suggested/proposed/questioned/pushed/challenged/probed/expressed/emphasized/emphasised ; in meeting
        X said/says/agreed/disagreed/commented/remarked/mentioned/highlighted/outlined/reviewed/flagged/pointed/objected/responded/replied/answered ; in meeting
        X led/leads/leading/walked/provided/offered/gave/shared/summarized/summarised/volunteered/abstained/jumped/chimed/took/weighed/brought ; in meeting
        X seemed/appeared/acknowledged/stressed/reiterated/clarified/explained/confirmed/pressed/drilled/cautioned/wondered/recommended ; in meeting
        X remained/stayed/listened/observed/followed/delivered/demonstrated/demoed/demonstrating/discussed/showcased/recapped/participated/participating ; in meeting
        X represented/representing/pitched/pitching/countered/interjected/inquired/focused/voiced/urged/warned/praised/admitted/hinted/voted ; in meeting
        X came/handled/fielded/there/interested/visited/met/spoke/talked/thanked/laid/opened/wrapped/ran/held/pitch ; in meeting
        joined/accompanied/flanked/followed by X ; in meeting
        alongside X ; in meeting
        between/gathered/convened X ; in meeting
        meeting/sync/one-on-one/call/session/1:1/conversation/chat/discussion between/with X ; in meeting
        room/group/audience/panel/session/table/party … included/includes/including/featured/brought X ; in meeting
        X in attendance ; in meeting
        with X in attendance/present/leading/presenting/chairing/facilitating ; in meeting
        questions/question/concerns/comments/feedback/remarks/presentation from/by X ; in meeting
        X attended/attends/attending ; with meeting/call/session/standup/workshop/sync/retro/offsite/conference/summit/dinner/review
        X at Y ; with attended/met/spoke/dialed
        X took/taking/takes part in Y ; without round/seed/series/pre-seed
        X participant/attendee/guest/delegate/speaker/panellist/panelists/speakers/guests/delegates in/at/of Y
        X sat/sits/sitting in on Y
        X turned/turns/showed/shows up at/for/to Y
        X dropped/drops/stopped/popped in/by/into on/at Y
        X dialed/dialled/called/phoned/tuned in/into to/for Y
        X dialed/dialled/phoned/tuned into Y
        X present/among/there at/for Y ; with present/attendees/participants/guests/audience/there
        X among … attendees/participants/guests/audience/delegates of/at Y
        X made it to Y ; without round
        X chaired/chairs/hosted/hosts/moderated/moderates/facilitated/facilitates/led/opened/closed/ran Y ; with meeting/call/session/standup/workshop/sync/retro/offsite/conference/summit/review/panel/kickoff
        X gave/gives/delivered/delivers … talk/keynote/presentation/speech/lecture/demo at Y
        X presents/lectured/performed/exhibited/participated/participates at/in Y ; without round/seed/series/funding/extension
        X represented … at Y
        Y had/saw/brought/drew/gathered/featured/welcomed/hosted X ; with room/together/attendance/audience/stage/panel/table/guests/speakers/meeting/session/conference
        Y attendees/guests/participants/speakers/panelists/attendance/audience/turnout … include/includes/including/included/were/was/counted X
        Y 's attendees/guests/participants/speakers/panelists include/includes/including/included/were/was/: X
        Y chaired/hosted/moderated/facilitated/opened … by X
        Y saw X attend/attending/present/speak
        attended/joined by : X
        attendees/attendee/participants/present/attending/attendance/guests/speakers/who/people : X ; in meeting
        in attendance : X
        were/was attended by X
    """,
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
        Y like/including/e.g X ; with kinds/types/examples/forms
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
        X included/contained/bundled/embedded/nested/integrated/incorporated/packaged/housed in/into/inside/within/with Y ; without located
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
        X based/builds/building/built/modelled/modeled/founded/grounded/rooted/premised/predicated on/upon/after/in Y ; without top
        X based in/on part/large/entirely on Y
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
        X hard to reconcile with Y
        X cannot/can't be reconciled/squared with Y
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
        X depends/depend/relies/rely/depended/relied/relying/depending/leans/lean/leaned/hinges/hinge/hinged/rests/counts/counting/rides/banks/builds/runs/sits/layered/contingent/predicated/conditional … on/upon Y ; with depends/depend/relies/rely/depended/relied/leans/hinges/hinge/hinged/contingent/predicated/conditional/service/library/system/module/layer/top/app/api
        X depends/depend/relies/rely/depended/relied/leans/hinges/hinge/hinged/rests/contingent/conditional … on/upon Y
        X built/builds/layered/runs/sits/sitting/implemented/stands/based/written/rests on top of Y
        X built/implemented/written/layered/powered/backed/driven/underpinned/supported by/on/with/using Y ; with powered/driven/service/library/app/application/underpinned/layered/api/framework/system/engine/tool/module
        X powered/driven/underpinned/fed by Y ; without investor/round
        X runs/run/running/ran on Y ; without office/battery
        X uses/use/using/used/consumes/consume/imports/import/calls/wraps/invokes/queries/reads Y ; with service/library/module/component/dependency/internally/api/backend/database/hood/package/storage
        X requires/require/required/requiring/needs/need/needed/needing/presupposes/presuppose/assumes/expects/demands/wants/necessitates Y ; without money/help/to
        X needs/need/requires/require/must/has … Y in order/running/installed/available/first/beforehand/up
        X cannot/can't/can/won't/doesn't/can not/start/run/work/function/operate/boot/build/exist/live/survive … without Y
        X not/n't/cannot work/works/start/starts/run/runs/function/functions/operate/exist/boot/compile/survive/move/go/deploy … without Y
        X useless/dead/nothing/impossible/unusable/breaks/fails/stops/halts/down without/unless/if/whenever Y
        X waits/wait/waiting/pending/stuck/hangs/queued/blocked/gated/held for/on/by/until/up Y ; without meeting
        X blocked/gated/bottlenecked/constrained … by/on Y
        X follows/after Y ; with prerequisite/dependency/blocked
        X client/consumer/user/dependent/dependant/dependents of/on/upon Y ; with service/library/module/component/dependency/api/backend/database/dependent/dependant
        X dependent/reliant/dependant/contingent/conditional/predicated … on/upon Y
        X has/have/had/takes/declares … dependency/dependencies/dependence on/upon Y
        X dependency/dependence/reliance/dependencies on/upon Y
        X prerequisite/prerequisites/requirement/requirements/dependencies/dependency … is/are/include/includes/: Y
        X 's prerequisite/prerequisites/requirement/requirements/dependencies/dependency … is/are/include/includes/: Y
        Y required/needed/used/consumed/imported/called/relied/depended on/upon/by/for X ; with service/library/module/component/dependency/internally/api/backend/database/required/needed/relied/depended/system/tool
        Y relied/depended/leaned on/upon by X
        Y prerequisite/dependency/requirement/precondition/foundation/necessary/essential/indispensable/requisite/backbone/underpinning/must for/of/to/have X
        Y underpins/underpin/powers/power/supports/enables/underlies/backs/serves/feeds/unblocks/drives X ; with service/library/module/component/dependency/api/backend/database/system/app/powers/underpins/platform/tool/enables/unblocks
        Y blocks/block/blocking/gates/gating X ; without meeting
        dependencies/dependency/prerequisites/prerequisite/requires/requirements/needs : Y
        depends/relies/blocked on/by/upon : Y
        required/needed/used by : X
        without Y … X cannot/can't/fails/stops/breaks ; without round
    """,
    "located_in": """
        X located/based/headquartered/situated/lives/live/living/resides/residing in/at/near/outside Y
        X based out of Y
        X operates/operating/works/working out of Y
        X headquarters/office/offices/hq in/at Y
        X lived/resided in/at/near Y ; past
        Y home to/of X
        X moved/relocated to Y ; without meeting/standup
        X located/based/headquartered/situated/lives/live/living/resides/residing/housed/stationed/sited/nestled/found/stands/stood/sits/lies/lying/settled/dwells/placed/hosted/kept/stored/positioned/anchored/registered/domiciled/resident/hangs/hung/installed/displayed/parked in/at/near/outside/on/inside/within/by/beside/under/behind/off/above Y ; without board/meeting/advisory/round/committee/prod/production/council/middle/panel
        X located/based/situated/headquartered/housed/found/stationed/sited … in/at/near/inside/within/outside Y ; without board/meeting
        X lives/resides/dwells/settled … in/near/outside Y
        X operates/operated/operating/works/working/run/runs/ran out of/from Y ; with office/based/out/headquarters/studio/workshop
        X headquarters/office/offices/hq/home/studio/workshop/campus/base/factory/plant/shop/address/premises/lab … in/at/near/is/are/: Y
        X 's headquarters/office/offices/hq/home/studio/workshop/campus/base/factory/plant/address/premises/location … is/are/in/at/near/: Y
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
        find/found/see/visit X in/at/inside/near/on Y ; with located/behind/floor/door/room/building/street/next/corner/basement/upstairs
        location/address/place/headquarters/hq/city/based/where/office/venue/site/lives in/: : Y
        location/address/headquarters/hq/city/office/venue/site : Y
        based/located/lives in : Y
    """,
    "responsible_for": """
        X responsible/accountable for Y
        X owns/maintains/manages/runs/oversees/heads/handles/own/maintain/manage/oversee/owning/maintaining/managing/running/overseeing Y
        X leads/lead/leading Y ; without round/seed/series/investment/investor/pre-seed/investors
        X owned/maintained/managed/ran/oversaw/headed/handled Y ; past
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
        X lead/leads/leader/head/manager/supervisor/administrator/admin/coordinator/keeper/curator/guardian/director of/for Y ; without round/seed/series/investment/investor/company/startup/firm
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
        X 's preferred/favorite/favourite/go-to/beloved/first/top … is/was/are/remains/: Y
        X 's favorite/favourite … Y
        X choice/pick/tool/editor/drink is/was/: Y ; with preferred/favourite/favorite/choice
        Y preferred/favored/favoured/loved/liked/beloved/favourite/favorite … by/of X
        Y favourite/favorite/choice/preference of/for X
        preference/prefers/favourite/favorite/favourites/favorites/preferences : Y
    """,
}
"""By predicate, one a line."""
