/**
 * The office leaves `TOKEN,END,NAME` under this key of local storage for the tab it opens to view the shop as a customer.
 * Not in the address: a link from elsewhere must not log anybody in.
 */
export const VIEW_HANDOVER_KEY = 'murmur.view'
