/** How a dictionary writes the sounds of a language: en-us with CMU's phones, fr-fr with LIUM's. */
type Rules = readonly (readonly [pattern: RegExp, phones: string])[]

/** Longest spellings first. Rough, which is enough for a name: the words around it are in the dictionary. */
const ENGLISH: Rules = [
  [/^tion/, 'SH AH N'],
  [/^sion/, 'ZH AH N'],
  [/^ture/, 'CH ER'],
  [/^ough/, 'AO'],
  [/^augh/, 'AO'],
  [/^igh/, 'AY'],
  [/^tch/, 'CH'],
  [/^sch/, 'S K'],
  [/^dge/, 'JH'],
  [/^eau/, 'OW'],
  [/^eer|^ear/, 'IH R'],
  [/^air|^are/, 'EH R'],
  [/^oor|^our|^ore/, 'AO R'],
  [/^ch/, 'CH'],
  [/^sh/, 'SH'],
  [/^th/, 'TH'],
  [/^ph/, 'F'],
  [/^wh/, 'W'],
  [/^wr/, 'R'],
  [/^kn|^gn/, 'N'],
  [/^ck/, 'K'],
  [/^qu/, 'K W'],
  [/^ng/, 'NG'],
  [/^ai|^ay|^ei|^ey/, 'EY'],
  [/^ee|^ea|^ie/, 'IY'],
  [/^oa|^oe|^ow/, 'OW'],
  [/^oo|^ou|^ue|^ew|^ui/, 'UW'],
  [/^oi|^oy/, 'OY'],
  [/^au|^aw/, 'AO'],
  [/^ar/, 'AA R'],
  [/^or/, 'AO R'],
  [/^er|^ir|^ur|^yr/, 'ER'],
  [/^a(?=[^aeiouy]e$)/, 'EY'],
  [/^i(?=[^aeiouy]e$)/, 'AY'],
  [/^o(?=[^aeiouy]e$)/, 'OW'],
  [/^u(?=[^aeiouy]e$)/, 'UW'],
  [/^e$/, ''],
  [/^c(?=[eiy])/, 'S'],
  [/^g(?=[eiy])/, 'JH'],
  [/^bb|^b/, 'B'],
  [/^cc|^c|^kk|^k/, 'K'],
  [/^dd|^d/, 'D'],
  [/^ff|^f/, 'F'],
  [/^gg|^g/, 'G'],
  [/^h/, 'HH'],
  [/^j/, 'JH'],
  [/^ll|^l/, 'L'],
  [/^mm|^m/, 'M'],
  [/^nn|^n/, 'N'],
  [/^pp|^p/, 'P'],
  [/^rr|^r/, 'R'],
  [/^ss|^s/, 'S'],
  [/^tt|^t/, 'T'],
  [/^v/, 'V'],
  [/^w/, 'W'],
  [/^x/, 'K S'],
  [/^y(?=[aeiou])/, 'Y'],
  [/^y/, 'IY'],
  [/^zz|^z/, 'Z'],
  [/^a/, 'AE'],
  [/^e/, 'EH'],
  [/^i/, 'IH'],
  [/^o/, 'AA'],
  [/^u/, 'AH'],
]

const FRENCH: Rules = [
  [/^eau|^au/, 'oo'],
  [/^ou/, 'uu'],
  [/^oi/, 'ww aa'],
  [/^ch/, 'ch'],
  [/^ph/, 'ff'],
  [/^gn/, 'gn'],
  [/^qu/, 'kk'],
  [/^(?:ain|ein|in|im)(?![aeiouynm])/, 'in'],
  [/^(?:an|am|en|em)(?![aeiouynm])/, 'an'],
  [/^(?:on|om)(?![aeiouynm])/, 'on'],
  [/^un(?![aeiouynm])/, 'un'],
  [/^eu|^oe/, 'eu'],
  [/^ai|^ei|^è|^ê|^ë/, 'ai'],
  [/^é|^er$|^ez$/, 'ei'],
  [/^e$|^es$|^[tdsxp]$/, ''],
  [/^c(?=[eiy])|^ç|^ss/, 'ss'],
  [/^g(?=[eiy])|^j/, 'jj'],
  [/^bb?/, 'bb'],
  [/^cc?|^k/, 'kk'],
  [/^dd?/, 'dd'],
  [/^ff?/, 'ff'],
  [/^gg?/, 'gg'],
  [/^ll?/, 'll'],
  [/^mm?/, 'mm'],
  [/^nn?/, 'nn'],
  [/^pp?/, 'pp'],
  [/^rr?/, 'rr'],
  [/^s(?=[aeiouy])/, 'zz'],
  [/^s/, 'ss'],
  [/^tt?/, 'tt'],
  [/^v|^w/, 'vv'],
  [/^x/, 'kk ss'],
  [/^z/, 'zz'],
  [/^[aàâ]/, 'aa'],
  [/^e/, 'ee'],
  [/^[iîïy]/, 'ii'],
  [/^[oô]/, 'oo'],
  [/^[uùûü]/, 'uy'],
]

type Lookup = (word: string) => string | null

/** How a word that the dictionary lacks probably sounds: from its parts that the dictionary has, else from its letters. */
export function guessPronunciation(word: string, language: string, lookup: Lookup): string {
  if (!language.startsWith('fr')) {
    const parts = fromParts(word, lookup)
    if (parts) return parts
  }
  return fromLetters(word, language.startsWith('fr') ? FRENCH : ENGLISH)
}

const ENDINGS: readonly (readonly [ending: string, phones: string])[] = [
  ["'s", 'Z'],
  ["s'", 'Z'],
  ["'d", 'D'],
  ["'ll", 'L'],
  ["'ve", 'V'],
  ["n't", 'AH N T'],
  ["'", ''],
  ['s', 'Z'],
  ['ed', 'D'],
  ['ing', 'IH NG'],
  ['ly', 'L IY'],
  ['ness', 'N AH S'],
  ['er', 'ER'],
]

function fromParts(word: string, lookup: Lookup): string | null {
  for (const [ending, phones] of ENDINGS) {
    if (!word.endsWith(ending) || word.length < ending.length + 2) continue
    const stem = word.slice(0, -ending.length)
    const known = lookup(stem) ?? (/^(?:ed|ing|er)$/.test(ending) ? lookup(`${stem}e`) : null)
    if (known) return `${known} ${phones}`.trim()
  }
  // The longest first part: woodpile is wood and pile.
  for (let at = word.length - 3; at >= 3; at--) {
    const [first, second] = [lookup(word.slice(0, at)), lookup(word.slice(at))]
    if (first && second) return `${first} ${second}`
  }
  return null
}

function fromLetters(word: string, rules: Rules): string {
  const phones: string[] = []
  let rest = word.normalize('NFC').replaceAll(/['’-]/g, '')
  while (rest !== '') {
    const found = rules
      .map(([pattern, sounds]) => ({ length: pattern.exec(rest)?.[0].length ?? 0, sounds }))
      .find(({ length }) => length > 0)
    if (found) {
      if (found.sounds) phones.push(found.sounds)
      rest = rest.slice(found.length)
      continue
    }
    // A letter of another language: try it without its accent, else leave it out.
    const plain = rest[0]!.normalize('NFD').replaceAll(/\p{M}/gu, '')
    rest = (plain !== rest[0] && /^[a-z]+$/.test(plain) ? plain : '') + rest.slice(1)
  }
  return phones.join(' ') || (rules === FRENCH ? 'ee' : 'AH')
}
