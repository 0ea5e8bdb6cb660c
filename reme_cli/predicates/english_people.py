"""The English phrasings of what people and companies do. `config.phrasing` says how to read them."""

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
    "/cooperative/collective/brewery/bakery/boutique/label/publisher/workshop/restaurant/own/from/scratch/garage/basement"
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
        X {_OCCUPATION} of … at Y ; without recruit/recruited/recruiting/hire/hired/hiring
        X {_OCCUPATION} on … at Y
        X {_TITLE} of Y
        Y 's {_TITLE} X
        Y {_TITLE} X
        X left/leaves/quit/quits/departed Y ; ended
        former/ex Y {_OCCUPATION} X ; ended
        X employee/staffer of Y
        X employed at/with Y
        X worked at Y ; past
        X employed/engaged … by/at/with Y
        X on/joins/joined staff/payroll of/at Y
        X on the staff/payroll of/at Y
        X {_OCCUPATION} with/in Y ; without {_OBSERVER}
        X {_OCCUPATION} of Y ; without {_OBSERVER}
        X {_OCCUPATION} … at Y ; without recruit/recruited/recruiting/hire/hired/hiring
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
        Y 's {_OCCUPATION} X
        Y 's chief/senior/lead/head/first/current/deputy/assistant {_OCCUPATION} X
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
        X holds/owns/bought/acquired/took … stake/shares … in/of Y
        X holds/owns/bought/acquired/took … stake/shares
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
        Y received/receives/took/won/attracted/accepted … from X ; with investment/money/funding/capital/cheque/check/million/seed/round
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
        X meeting regularly/weekly/biweekly/bi-weekly/monthly/since ; in meeting
        X from/of … walked/presented/presents/led/joined/attended/shared/gave/showed/demoed/raised/asked/noted/provided ; in meeting
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
        X took/taking/takes part in Y ; without round/seed/series/pre-seed
        X participant/attendee/guest/delegate/speaker/panellist/panelists/speakers/guests/delegates in/at/of Y
        X sat/sits/sitting in on Y
        X turned/turns/showed/shows up at/for/to Y
        X dropped/drops/stopped/popped in/by/into on/at Y
        X dialed/dialled/called/phoned/tuned in/into to/for Y
        X dialed/dialled/phoned/tuned into Y
        X present at/for Y
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
}
"""By predicate, one a line."""
