/**
 * The edit distance between two words: insertions, deletions, substitutions and transpositions.
 * Stops counting beyond `most` and returns a larger number.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1]
      let edits = Math.min(last[column]! + 1, line[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && swapped) edits = Math.min(edits, beforeLast[column - 2]! + 1)
      line.push(edits)
    }
    if (Math.min(...line) > most) return most + 1
    beforeLast = last
    last = line
  }
  return last[other.length]!
}
