/** The room's face to others: what an owner wrote becomes what the shop says. */
export { takeShopFile } from './follow.ts'
