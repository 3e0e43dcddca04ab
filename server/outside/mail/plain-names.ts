/** A name, not a message. */
const LONGEST = 40
/** By the field of a mail's data: what stands there where nothing of the name is left. */
const NAMES: Readonly<Record<string, string>> = { firstName: 'reader', giverName: 'A friend' }

/**
 * The data of a mail with its names as names: whoever registers chooses one, and whoever they like is sent it. Nothing in
 * it becomes a link, and it is no longer than a name.
 */
export function withPlainNames(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  const plain: Record<string, unknown> = { ...data }
  for (const [field, nobody] of Object.entries(NAMES))
    if (typeof plain[field] === 'string') plain[field] = plainName(plain[field]) || nobody
  return plain
}

function plainName(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !/[:/\\@<>]/.test(word))
  // Mail programs turn `evil.example` into a link, but not `evil. example`.
  const unlinked = words.join(' ').replaceAll(/\.(?=\p{L}{2})/gu, '. ')
  const letters = Array.from(unlinked)
  return letters.length <= LONGEST
    ? unlinked
    : `${letters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`
}
