import type { Config } from '../settings/config.ts'
import type { ExistingShop } from './startup-queries.ts'

/** Printed below the address by `npm start`, so that a newcomer can log in at once. */
export const accountsOfTheDemo = `
Demo shop. Log in with any of these, password: murmur-demo
  reader@murmur.example      Reader monthly, two audiobooks, one half heard
  nell@murmur.example        no membership, one audiobook and two e-books
  shelf@murmur.example       24 books in both formats
  empty@murmur.example       nothing at all
All the others are named in content/demo/accounts.json. Pay with the card 4242 4242 4242 4242, any later
date and any code: no money moves. Stop with Ctrl-C.
`.trimStart()

/** Printed instead of opening: anyone could log in to these accounts of a public shop and take its books. */
export const DEMO_ACCOUNTS_REFUSED =
  'This is not the demo (PUBLIC_URL, HOST or another setting says so), but its database holds the demo’s accounts, ' +
  'whose password everybody knows. Start an empty shop (DATA_DIR=./shop npm start, or npm start -- --fresh), ' +
  'or say which you mean: DEMO=1 shows the demo, DEMO=0 opens the shop with these accounts in it.'

export const DEMO_ACCOUNTS_OPEN =
  'Careful: this shop holds the demo’s accounts, whose password everybody knows.'

/** Pages that the law requires, by the slugs that the checkout and the footer link to. */
export const PAGES_BY_LAW = {
  'terms-conditions': 'your terms',
  'terms-privacy-etc': 'your privacy notice',
  imprint: 'who runs the shop (an imprint)',
}

export const NO_NAME = 'The shop has no name of its own yet: npm run new-shop.'

export function whatIsMissing(
  config: Pick<Config, 'smtpUrl' | 'payments' | 'details'>,
  {
    hasTitles,
    pages,
    hasAddress,
    hasVatNumber,
    withoutFile,
    withoutCover,
    withoutSummary,
  }: Omit<ExistingShop, 'hasDemoAccounts'>,
): string[] {
  const { seller } = config.details.file
  const unnamed = [
    ...(hasAddress || seller?.address ? [] : ['your address']),
    ...(hasVatNumber || seller?.vatNumber ? [] : ['your VAT number']),
  ]
  const missing = Object.entries(PAGES_BY_LAW).filter(([slug]) => !pages.includes(slug))
  return [
    ...(config.details.areSaid ? [] : [NO_NAME]),
    ...(hasTitles ? [] : ['There are no books yet: npm run import -- FOLDER brings yours in.']),
    ...(config.payments
      ? []
      : [
          'Nothing can be paid for yet: set STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET.',
        ]),
    ...(config.smtpUrl ? [] : ['No mail goes out until SMTP_URL is set; until then it waits.']),
    ...(missing.length === 0
      ? []
      : [
          `The law asks for pages that are not there yet: ${missing.map(([, what]) => what).join(', ')}. ` +
            `npm run new-shop -- --pages drafts them; import ${missing.map(([slug]) => `pages/${slug}.md`).join(', ')}.`,
        ]),
    ...(unnamed.length === 0
      ? []
      : [`Receipts lack ${unnamed.join(' and ')}: npm run new-shop asks for them.`]),
    ...(withoutFile === 0
      ? []
      : [
          `${withoutFile} ${withoutFile === 1 ? 'title has a price and is' : 'titles have a price and are'} not on sale: the sound or text is missing.`,
        ]),
    ...onSale(withoutCover, 'no cover'),
    ...onSale(withoutSummary, 'no summary'),
  ]
}

const onSale = (count: number, lack: string): string[] =>
  count === 0 ? [] : [`Of the titles on sale ${count} ${count === 1 ? 'has' : 'have'} ${lack}.`]
