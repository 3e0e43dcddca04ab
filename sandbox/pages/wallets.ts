import type { FastifyInstance } from 'fastify'
import { escape, pounds, sendPage } from './layout.ts'

const WALLETS = { applepay: 'Apple Pay', googlepay: 'Google Pay', link: 'Link' } as const
const isWallet = (name: string): name is keyof typeof WALLETS => Object.hasOwn(WALLETS, name)

/**
 * The frames of the Express Checkout element: the wallets' buttons, and the sheet that a press opens. Their scripts enable
 * the buttons: before, a press would be lost.
 */
export function serveWallets(app: FastifyInstance): void {
  app.get('/wallets', (_request, reply) =>
    sendPage(
      reply,
      'Express checkout',
      '<link rel="stylesheet" href="/wallets.css">\n<script type="module" src="/browser/wallets.ts"></script>',
      `<body><div>${Object.entries(WALLETS)
        .map(
          ([value, name]) =>
            `<button value="${value}" disabled aria-label="Pay with ${name}">${name}</button>`,
        )
        .join('')}</div>`,
    ),
  )
  app.get<{ Querystring: { wallet?: string; amount?: string } }>('/wallet-sheet', (request, reply) => {
    const { wallet = '', amount = '0' } = request.query
    const name = isWallet(wallet) ? WALLETS[wallet] : 'Wallet'
    return sendPage(
      reply,
      name,
      '<link rel="stylesheet" href="/pages.css">\n<script type="module" src="/browser/wallet-sheet.ts"></script>',
      `<body class="dialog"><div class="sheet">
<h1>${escape(name)}</h1>
<p class="amount">${pounds(Number(amount) || 0)}</p>
<p id="person"></p>
<form>
<button type="button" disabled class="first" value="visa">Pay with ${escape(name)}</button>
<button type="button" disabled value="authenticationRequired">Pay, and let the bank ask</button>
<button type="button" disabled value="visa_chargeDeclined">Pay with a card that is refused</button>
<button type="button" disabled value="close">Close</button>
</form>
<p class="quiet">This is a sandbox. No money moves.</p>
</div>`,
    )
  })
}
