/** How many rows are selected, and of how many if they are the first of a list and no more can be selected. */
export function selectedWords(count: number, isFirst: boolean, total: number): string {
  const words = count.toLocaleString('en-GB')
  return isFirst && total > count
    ? `The first ${words} of ${total.toLocaleString('en-GB')} are selected`
    : `${words} selected`
}
