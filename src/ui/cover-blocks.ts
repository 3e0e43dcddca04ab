/**
 * The 4×4 average colours that stand where a cover will be, as the background images of one element: four rows of
 * four squares. Undefined when the text is not sixteen colours of six hexadecimal digits.
 */
export function coverBlocks(colours: string): string | undefined {
  const blocks = colours.match(/[0-9a-f]{6}/gi) ?? []
  if (blocks.length !== 16) return undefined
  const rows = [0, 4, 8, 12].map((at) => {
    const [first, second, third, fourth] = blocks.slice(at, at + 4)
    return `linear-gradient(90deg,#${first} 25%,#${second} 0 50%,#${third} 0 75%,#${fourth} 0)`
  })
  return rows.join()
}
