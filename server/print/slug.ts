const SPELT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  '&': ' and ',
}

/** `The Lamplighter’s Ledger` → `the-lamplighters-ledger`; empty if the text has no Latin letters. */
export function slugOf(text: string): string {
  const spelt = Array.from(text.toLowerCase(), (character) => SPELT[character] ?? character).join('')
  const slug = spelt
    .normalize('NFKD')
    .replace(/[\p{M}'’‘`]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug.length <= 120 ? slug : slug.slice(0, 121).replace(/-[^-]*$/, '')
}
