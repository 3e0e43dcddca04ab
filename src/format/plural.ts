/** "1 item", "2 items", "1,204 results"; `many` only where an s is not enough. */
export const plural = (count: number, one: string, many = `${one}s`) =>
  `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`
