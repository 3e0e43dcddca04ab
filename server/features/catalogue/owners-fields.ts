/** The fields that an owner can set in the shop, by their names in `books.set_by_owner` and `npm run titles`. */
export type OwnersField = OwnersText | 'price' | 'file' | `chapter ${number}`

export const OWNERS_TEXTS = ['title', 'summary', 'metaDescription'] as const
export type OwnersText = (typeof OWNERS_TEXTS)[number]
