import type { PageDetails } from '#contract/shop-details.ts'

let said: PageDetails | undefined

/** Who runs this shop, as the page says that shows it; it stays so until the page is loaded again. */
export const shop = (): PageDetails => (said ??= read())

const read = (): PageDetails => JSON.parse(document.getElementById('shop')!.textContent)

/** On the server, where a page is still to be written. */
export const tellShop = (details: PageDetails): void => void (said = details)
