const names = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/**
 * Orders paths as people number them: 2 before 10, CD 2 before CD 10, and a folder's own files before those of its
 * subfolders.
 */
export function naturalOrder(first: string, second: string): number {
  const [one, two] = [first.split('/'), second.split('/')]
  for (let depth = 0; depth < Math.min(one.length, two.length); depth++) {
    const deeper = Number(one.length - 1 > depth) - Number(two.length - 1 > depth)
    // Names that differ only in case or accents also need the same order on every machine.
    const order = deeper || names.compare(one[depth]!, two[depth]!) || compare(one[depth]!, two[depth]!)
    if (order !== 0) return order
  }
  return one.length - two.length
}

const compare = (first: string, second: string): number => (first < second ? -1 : first > second ? 1 : 0)
