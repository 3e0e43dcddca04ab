/** `pg_trgm.similarity_threshold` as PostgreSQL has it: what its `%` asks for. */
const LEAST_SIMILARITY = 0.3

interface NearWord {
  readonly word: string
  readonly uses: number
}

/** The words that look like this one, as `selectNearWords` of the server's search chooses and orders them. */
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

/** As `pg_trgm` takes a word apart: two spaces before it, one after it. */
function trigramsOf(word: string): ReadonlySet<string> {
  const padded = `  ${word} `
  return new Set(Array.from({ length: padded.length - 2 }, (_, place) => padded.slice(place, place + 3)))
}

/** The share of all their trigrams that both have. */
function similarityOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0
  for (const trigram of one) if (other.has(trigram)) shared += 1
  return shared / (one.size + other.size - shared)
}
