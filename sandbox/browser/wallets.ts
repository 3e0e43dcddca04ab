import type { Envelope, WalletNews } from './protocol.ts'
import { stored } from './stored.ts'

/** The buttons of the wallets that this browser has. `localStorage.wallets`, such as `link` or `none`, limits them. */
const buttonQuery = new URLSearchParams(location.search)
const KNOWN = ['applepay', 'googlepay', 'link'] as const
const limit = stored('wallets')?.split(',')
const offered = KNOWN.filter((wallet) => !limit || limit.includes(wallet))

const send = (news: WalletNews) =>
  window.parent.postMessage(
    { sandbox: buttonQuery.get('id') ?? '', news } satisfies Envelope<WalletNews>,
    buttonQuery.get('holder') ?? '',
  )

for (const button of document.querySelectorAll('button')) {
  const wallet = offered.find((one) => one === button.value)
  if (!wallet) button.remove()
  button.addEventListener('click', () => wallet && send({ kind: 'pressed', wallet }))
  button.disabled = false
}
const box = document.querySelector('div')!
new ResizeObserver(() =>
  send({ kind: 'resized', height: offered.length === 0 ? 0 : box.offsetHeight }),
).observe(box)
send({ kind: 'ready', wallets: offered })
