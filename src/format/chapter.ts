/** Files without names are imported as "Chapter 3", and some owners number the names themselves. */
const NUMBERED = /^(?:chapter|part|track)?\s*\d/i

/** "4. The weighing room", "Chapter 4", or without a name "Chapter 4 of 14". */
export function chapterInWords(number: number, name: string | undefined, of?: number): string {
  if (!name) return `Chapter ${number}${of ? ` of ${of}` : ''}`
  return NUMBERED.test(name) ? name : `${number}. ${name}`
}
