/** "1 item", "2 items", "1,204 results"; pass `many` for irregular plurals. */
export const plural = (count: number, one: string, many = `${one}s`) =>
  `${String(count).replace(/\B(?=(\d{3})+$)/g, ',')} ${count === 1 ? one : many}`
