export function nearest(key: string, known: readonly string[]): string | undefined {
  const scored = known.map(
    (candidate) => [distance(key.toLowerCase(), candidate.toLowerCase()), candidate] as const,
  )
  const [best] = scored.sort(([one], [two]) => one - two)
  return best && best[0] <= Math.max(2, Math.floor(key.length / 3)) ? best[1] : undefined
}

function distance(one: string, two: string): number {
  let row = Array.from({ length: two.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= two.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(one[i - 1] !== two[j - 1])))
    row = next
  }
  return row.at(-1)!
}
