import type {} from '@tanstack/react-router'

/**
 * The frame of a screen (NAV-04, NAV-55, NAV-57, NAV-58); where a route says nothing, header, footer, mini player
 * and tabs do.
 * - `window`: the shop window, with the card's banner above the header
 * - `own`: a personal screen, or what was paid just now, which does not end in the shop's footer
 * - `newsletter`: asks for an address itself, so its footer does not ask again
 * - `desk`: the booksellers', with a header without the shop
 * - `card`: a card is redeemed, and nothing offers to log in or join beside it (NAV-56)
 * - `checkout`: nothing leads away but its own ways and the shop's name
 * - `whole`: the screen fills the window by itself
 */
export type Frame = 'window' | 'own' | 'newsletter' | 'desk' | 'card' | 'checkout' | 'whole'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    frame?: Frame
  }
}
