/** PostgreSQL's default `pg_trgm.similarity_threshold`, which its `%` operator uses. */
const LEAST_SIMILARITY = 0.3

interface NearWord {
  readonly word: string
  readonly uses: number
}

/** The similar words, chosen and sorted like `selectNearWords` in the server's search. */
export function nearWords(known: ReadonlyMap<string, number>, word: string, limit: number): NearWord[] {
  const half = Math.floor(word.length / 2)
  const [beginning, end] = [word.slice(0, half), word.slice(-half)]
  const swapped = word.slice(0, half - 1) + word[half]! + word[half - 1]! + word.slice(half + 1)
  const trigrams = trigramsOf(word)
  return [...known]
    .filter(([other]) => Math.abs(other.length - word.length) <= 2)
    .map(([other, uses]) => ({
      word: other,
      uses,
      isSwapped: other === swapped,
      similarity: similarityOf(trigrams, trigramsOf(other)),
    }))
    .filter(
      (other) =>
        other.word.startsWith(beginning) ||
        other.word.endsWith(end) ||
        other.isSwapped ||
        other.similarity >= LEAST_SIMILARITY,
    )
    .sort(
      (one, other) =>
        Number(other.isSwapped) - Number(one.isSwapped) ||
        other.similarity - one.similarity ||
        other.uses - one.uses ||
        (one.word < other.word ? -1 : 1),
    )
    .slice(0, limit)
}

/** Like `pg_trgm`: pads a word with two spaces before and one after. */
function trigramsOf(word: string): ReadonlySet<string> {
  const padded = `  ${word} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, place) => padded.slice(place, place + 3)))
}

/** The share of their combined trigrams that both words have. */
function similarityOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const trigram of one) if (other.has(trigram)) shared += 1
  return shared / (one.size + other.size - shared)
}
