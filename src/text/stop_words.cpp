// SPDX-License-Identifier: Apache-2.0
//
// Function words, our own lists: articles, pronouns, prepositions, conjunctions, auxiliary verbs,
// and the pieces that are left when "don't" or "l'eau" is cut at the apostrophe. A word that also
// names a thing is not in a list where that meaning is common: it is better to keep a frequent word
// than to lose a useful one. Small letters, composed; a text stands here as a reader folds its
// words.
#include "text/stop_words.hpp"

#include <algorithm>

namespace mbn {

namespace {

struct List {
  Language language;
  std::string_view words;
};

constexpr List kLists[] = {
    // English comes first: where two languages fit a text as well, it is taken.
    {Language::english,
     "a about above after again against all also although always am among an and another any "
     "are aren as at be because been before being below between both but by can cannot could "
     "couldn d did didn do does doesn doing don done down during each either else etc even "
     "ever every few for from further had hadn has hasn have haven having he her here hers "
     "herself him himself his how however i if in into is isn it its itself just least less ll "
     "m many may me might more most much must my myself neither never no nor not now of off "
     "often on once only onto or other others otherwise our ours ourselves out over own per "
     "rather re s same shall she should shouldn since so some such t than that the their "
     "theirs them themselves then there therefore these they this those though through thus to "
     "too toward towards under until up upon us ve very via was wasn we were weren what when "
     "where whether which while who whom whose why will with within without won would wouldn "
     "yet you your yours yourself yourselves"},
    {Language::catalan,
     "a així al als amb aquell aquella aquest aquesta aquestes aquests com d de del dels des "
     "el ella elles ells els em en ens era eren es estan està et fins ha han he hem hi ho i jo "
     "l la les li lo los me meu meva molt més n ni no nosaltres o on pel pels per perquè però "
     "qual quals quan que qui què s se sense seu seus seva seves si sobre són també tan te tot "
     "tota totes tots tu un una unes uns va van vosaltres"},
    {Language::danish,
     "ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig "
     "din disse dog du efter eller en end er et for fra ham han hans har havde have hende "
     "hendes her hos hun hvad hvis hvor i ikke ind jeg jer jo kan kunne man mange med meget "
     "men mig min mine mit nogen noget nogle nu når og også om op os over på selv sig sin sine "
     "sit skal skulle som sådan thi til ud under var vi vil ville vor være været"},
    {Language::dutch,
     "aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch door dus "
     "een en er ge geen had heb hebben heeft hem het hier hij hoe hun ik in is ja je kan kon "
     "kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om omdat onder "
     "ons ook op over reeds te tegen toch toen tot u uit uw van veel voor want waren was wat "
     "we werd wezen wie wij wil worden wordt zal ze zei zelf zich zij zijn zo zonder zou"},
    {Language::finnish,
     "ei eivät emme en ette että he heidän heille heitä hän häneen hänelle hänen hänet ja joka "
     "jolla jonka jos jossa jota jotka kanssa keiden kenen ketkä koska kuin kuka kun me meidän "
     "meille meitä mikä minkä minua minulla minulle minun minä mitkä mitä mukaan mutta myös ne "
     "niiden niihin niille niin niistä niitä noin nuo nyt näiden nämä ole olemme olen olet "
     "olette oli olin olisi olivat olla on ovat poikki se sekä sen siihen siinä siitä sille "
     "sillä sinun sinä sitä tai te teidän teille tuo tuon tähän tällä tämä tämän tässä tästä "
     "vaan vai vaikka"},
    {Language::french,
     "ai aient ainsi alors as au aucun aussi autre autres aux avaient avait avec avez avoir "
     "avons c car ce ceci cela celle celles celui ces cet cette ceux chaque comme d dans de "
     "depuis des donc dont du elle elles en encore entre es est et eu eux fait il ils j je "
     "jusqu l la le les leur leurs lui là m ma mais me mes moi mon même mêmes n ne ni nos "
     "notre nous on ont ou où par pas pendant peu peut plus pour pourquoi qu quand que quel "
     "quelle quelles quels qui s sa sans se sera ses si sinon soit son sont sous sur t ta te "
     "tes toi ton tous tout toute toutes très tu un une vos votre vous y à étaient était étant "
     "été être"},
    {Language::german,
     "aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf "
     "aus bei bin bis bist da damit dann das dass daß dein deine dem den denn der des dessen "
     "die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer "
     "eines einige er es etwas euch euer für gegen hab habe haben hat hatte hatten hier hin "
     "hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden "
     "jeder jedes jene kann kein keine keinem keinen keiner können könnte man manche mehr mein "
     "meine mich mir mit muss muß müssen nach nicht nichts noch nun nur ob oder ohne sehr sein "
     "seine seinem seinen seiner seit selbst sich sie sind so solche soll sollte sondern sonst "
     "um und uns unser unter viel vom von vor war waren warum was weg weil weiter welche "
     "welcher wenn wer werden wie wieder will wir wird wirst wo wurde wurden während würde zu "
     "zum zur zwar zwischen über"},
    {Language::hungarian,
     "a ahogy ahol aki akik akkor alatt az azok azon azt aztán azzal azért be belül benne bár "
     "cikk csak de e eddig egy egyes egyik egyéb egész el ellen először előtt ennek ez ezek "
     "ezen ezt ezzel fel felé ha hanem hiszen hogy hogyan igen ill is itt jó kell kellett "
     "keresztül ki kívül között közül le legyen lehet lesz lett maga meg mely melyek mert mi "
     "miatt mikor milyen mind minden mint mit mivel most már más még nagy nagyon ne nekem neki "
     "nem nincs olyan ott pedig például s saját se semmi sok szemben szerint szinte számára "
     "tehát tovább több utolsó után vagy vagyok valaki valami van vannak vele vissza viszont "
     "volna volt voltak általában én és így össze úgy új újabb újra ő ők őket"},
    {Language::italian,
     "a abbia abbiamo ad agli ai al alla alle allo anche anni avere aveva avevano c che chi ci "
     "come con contro cui da dagli dai dal dalla dalle dallo degli dei del della delle dello "
     "di dopo dove e ed era erano essere fa fra gli ha hai hanno ho i il in io l la le lei li "
     "lo loro lui ma me mi mia mie miei mio molto ne negli nei nel nella nelle nello noi non "
     "nostra nostro o ogni per perché più poi prima può quale quali quando quanto quella "
     "quelle quelli quello questa queste questi questo qui sarà se sei senza si sia siamo sono "
     "sta stata state stati stato su sua sue sugli sui sul sulla sulle sullo suo suoi ti tra "
     "tu tua tue tuo tutti tutto un una uno vi voi è"},
    {Language::norwegian,
     "alle at av bare ble bli blir både da de deg dei dem den denne der dere deres det dette "
     "di din disse du eg ein eit eller en enn er et ett etter for fordi fra før ha hadde han "
     "hans har henne hennes her hun hva hvem hver hvor hvordan hvorfor i ikke ingen inn ja jeg "
     "kan kom kun kunne man mange med meg meget mellom men mer mi min mitt mot mye må ned no "
     "noe noen nå når og også om opp oss over på samme seg selv si sin sine sitt sjøl skal "
     "skulle slik som så til ut uten var ved vi vil ville vår være vært å"},
    {Language::portuguese,
     "a ao aos as até com como da das de dela dele deles depois do dos e ela elas ele eles em "
     "entre era eram essa essas esse esses esta estas estava este estes está estão eu foi "
     "foram há isso isto já lhe lhes mais mas me mesmo meu meus minha minhas muito na nas nem "
     "no nos nossa nosso num numa não nós o os ou para pela pelas pelo pelos por porque qual "
     "quando que quem se seja sem ser será seu seus sobre sua suas são só também te tem ter "
     "teu tinha tu tua têm um uma umas uns você vocês vos à às é"},
    {Language::romanian,
     "a abia acea aceasta această aceea acel acela acele acelea acest acesta aceste acestea "
     "acești aceștia aici al ale alt alte altă alți am ar are as asta astfel asupra atunci au "
     "avea aș ați cam care ce cei cel cele ceva chiar ci cine cu cum când cât câte câți că "
     "dacă dar de deci decât deja despre deși din dintre doar după ea ei el ele era este eu fi "
     "fie fiecare fiind fost fără i iar la le li lor lui mai mea mei mele meu mi mult noastră "
     "noi nostru nu o ori pe pentru peste prin până sa sale sau se sub sunt să toate toată tot "
     "toți un una unde unei unele unor unui unul va voi vor vostru îi îl îmi în într întru își "
     "îți și"},
    {Language::russian,
     "а без более больше будет бы был была были было быть в вам вас весь во вот все всего всех "
     "вы где да даже для до его ее если есть еще ещё её же за здесь и из или им их к как какая "
     "какой когда которая которое которые который кто ли либо между меня мне может мы на над "
     "надо наш не него нее нет ни них но ну о об однако он она они оно от очень перед по под "
     "после потому почти при про с сам себе себя со так также такой там те тем то того тоже "
     "той только том тот ты у уж уже хотя чего чей чем что чтобы чье эта эти это этого этой "
     "этом этот эту я"},
    {Language::spanish,
     "a al algo algunas algunos ante antes aquel como con contra cual cuando de del desde "
     "donde durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta "
     "estas este esto estos está están fue fueron ha han hasta hay la las le les lo los me mi "
     "mientras mis mucho muchos muy más nada ni no nos nosotros nuestra nuestro o os otra "
     "otras otro otros para pero poco por porque pues que quien quienes qué se sea según ser "
     "será si sido sin sobre son su sus sí también tanto te tiene tienen toda todas todo todos "
     "tu tus un una unas uno unos usted ustedes vosotros y ya yo él"},
    {Language::swedish,
     "alla allt att av blev bli blir blivit de dem den denna deras dess dessa det detta dig "
     "din dina ditt du där då efter ej eller en er era ert ett från för ha hade han hans har "
     "henne hennes hon honom hur här i icke ingen inom inte jag ju kan kunde man med mellan "
     "men mig min mina mitt mot mycket ni nu när någon något några och om oss på samma sedan "
     "sig sin sina sitt själv ska skulle som så sådan till under upp ut utan vad var vara "
     "varför varit varje vars vem vi vid vilka vilken vår våra vårt än är åt över"},
    {Language::turkish,
     "acaba ama ancak artık aslında az bana bazı belki ben beni benim bile bir biri birkaç "
     "birçok biz bize bizi bizim bu buna bunda bundan bunlar bunu bunun böyle da daha de defa "
     "değil diye en eğer gibi göre hem hep hepsi her hiç ile ise için işte kadar karşı kendi "
     "ki kim kimse mi mu mü mı nasıl ne neden nedenle nerede nereye niye niçin o olan olarak "
     "oldu olduğu olur ona ondan onlar onları onların onu onun orada oysa sana sanki sen seni "
     "senin siz sizi sizin sonra tüm var ve veya ya yani yine yok zaten çok çünkü öyle şey şu "
     "şuna şunu"},
};

}  // namespace

std::vector<std::string_view> stop_words(Language language) {
  if (language == Language::porter) language = Language::english;
  std::vector<std::string_view> words;
  for (const List& list : kLists) {
    if (list.language != language) continue;
    for (std::string_view rest = list.words; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      words.push_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  std::ranges::sort(words);
  return words;
}

std::vector<Language> languages_with_stop_words() {
  std::vector<Language> languages;
  for (const List& list : kLists) languages.push_back(list.language);
  return languages;
}

}  // namespace mbn
