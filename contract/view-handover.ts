/**
 * The office leaves `TOKEN,END,NAME` under this key of local storage for the tab it opens to view the shop as a customer.
 * It is not part of the address, because a link on another site could then log somebody in.
 */
export const VIEW_HANDOVER_KEY = 'murmur.view'
