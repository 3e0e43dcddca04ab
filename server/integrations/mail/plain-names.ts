/** The maximum length of a name, so that it cannot be a message. */
const LONGEST = 40
/** Fields of an email's data that contain names, and the replacement if nothing of the name is left. */
const NAMES: Readonly<Record<string, string>> = { firstName: 'reader', giverName: 'A friend' }

/**
 * Makes names in an email's data safe. Anyone can register with any name and cause an email to any address, so a name
 * must not contain links and must be short.
 */
export function withPlainNames(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  const plain: Record<string, unknown> = { ...data }
  for (const [field, nobody] of Object.entries(NAMES))
    if (typeof plain[field] === 'string') plain[field] = plainName(plain[field]) || nobody
  return plain
}

/** Removes addresses from a message, so that nothing in it becomes a link; words and lines stay. */
export const withoutLinks = (message: string): string =>
  message.replaceAll(LINK, '…').replaceAll(NAME_OF_A_SITE, '. ')

const LINK = /\S*(?:[a-z]:\/\/|mailto:|tel:|[\p{L}\p{N}]@[\p{L}\p{N}]|\.\p{L}{2,}\/)\S*/giu
/** Email clients turn `evil.example` into a link, but not `evil. example`. */
const NAME_OF_A_SITE = /\.(?=\p{L}{2})/gu

function plainName(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '' && !/[:/\\@<>]/.test(word))
  const unlinked = words.join(' ').replaceAll(NAME_OF_A_SITE, '. ')
  const letters = Array.from(unlinked)
  return letters.length <= LONGEST
    ? unlinked
    : `${letters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`
}
