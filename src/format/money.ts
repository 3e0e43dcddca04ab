/** Pounds from the API to pence: 9.6 is 960. Rounds away floating-point error. */
export const toMinor = (pounds: number) => Math.round(pounds * 100)

/** For cards and book pages: "£12", "£9.60". */
export const price = (priceMinor: number) =>
  priceMinor % 100 === 0 ? pounds(priceMinor) : amount(priceMinor)

/** For bag, checkout, orders: always with pence, "£12.00". */
export const amount = (priceMinor: number) =>
  `${pounds(priceMinor)}.${String(Math.abs(priceMinor) % 100).padStart(2, '0')}`

const pounds = (minor: number) => `${minor < 0 ? '−' : ''}£${grouped(Math.floor(Math.abs(minor) / 100))}`

/** Not `Intl`, whose grouping can differ between server and browser; the markup must not. */
const grouped = (whole: number) => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
