import { Command } from '@commander-js/extra-typings'
import { type Group, group, wholeNumber } from './command-line.ts'
import type { Shop } from '../shop.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import { closeOutlet } from '../features/outlets/scheduled-statements.ts'
import { changeOutlet, addOutlet, slugOfName } from '../features/outlets/service.ts'
import {
  finishPackRequest,
  selectOpenPackRequests,
  selectOutlets,
  selectPackRequestsBy,
} from '../features/outlets/queries.ts'
import { tableOr } from '../print/table.ts'
import { day } from '../settings/days.ts'
import { rowByIdPrefix } from './frame.ts'

export const outletsCommand: Group = ({ print }) =>
  group('outlets', [
    withTerms('add')
      .description(
        'Creates a bookshop that sells cards, with an account for its staff, who choose a password at /forgot-password',
      )
      .requiredOption('--name <name>', 'The name of the bookshop')
      .requiredOption('--email <address>', 'The address of its account')
      .option('--slug <slug>', 'Its short name for commands; by default made from its name')
      .action((options) => {
        const slug = options.slug ?? slugOfName(options.name)
        if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug))
          throw new BadSetting(
            `A bookshop’s slug is small letters, figures and hyphens, not “${slug}”. Name one with --slug.`,
          )
        return print((shop) => add(shop, { ...options, slug }))
      }),
    new Command('list').description('Lists the bookshops and their terms').action(() => print(list)),
    withTerms('change')
      .description(
        'Changes its terms for the next cards and purchases, or the address of its account, which then needs a new password. Existing statements don’t change',
      )
      .argument('<slug>')
      .option('--email <address>', 'The new address of its account')
      .action((slug, options, command) => {
        if (Object.keys(options).length === 0)
          command.error('error: say what changes, with --discount, --commission or --email')
        return print((shop) => change(shop, slug, options))
      }),
    new Command('close')
      .description(
        'Closes it: it can’t sell cards any more, its last statement is created at once, and the cards it sold stay valid',
      )
      .argument('<slug>')
      .action((slug) => print((shop) => close(shop, slug))),
    new Command('packs')
      .description('Lists the bookshops that asked for a starter pack on /reseller, the oldest first')
      .option(
        '--done <id>',
        'Takes one off the list, once its cards are on their way. The first six letters are enough',
      )
      .action(({ done }) =>
        print((shop) => (done === undefined ? listPacks(shop) : finishPacks(shop, done))),
      ),
  ])

const share = wholeNumber('A share', 0, 100)

const withTerms = (name: string) =>
  new Command(name)
    .option('--discount <percent>', 'The bookshop’s discount on the price of a card', share)
    .option(
      '--commission <percent>',
      'Its share of its readers’ later purchases, in per cent, without VAT',
      share,
    )

interface Terms {
  readonly discount?: number | undefined
  readonly commission?: number | undefined
}

interface NewOutlet extends Terms {
  readonly name: string
  readonly email: string
  readonly slug: string
}

async function add(
  { db, config, now }: Shop,
  { name, email, slug, discount = 60, commission = 10 }: NewOutlet,
): Promise<string[]> {
  const terms = { discountPercent: discount, commissionPercent: commission }
  const outlet = await addOutlet(db, { name, email, slug, ...terms, now: now() })
  return [
    `${outlet.name} is open as ${outlet.slug}. ${email} chooses a password at ${config.publicUrl}/forgot-password`,
  ]
}

async function change(
  { db, config, now }: Shop,
  slug: string,
  { discount, commission, email }: Terms & { readonly email?: string | undefined },
): Promise<string[]> {
  const changed = {
    ...(discount === undefined ? {} : { discountPercent: discount }),
    ...(commission === undefined ? {} : { commissionPercent: commission }),
    ...(email === undefined ? {} : { email }),
  }
  const { name, discountPercent, commissionPercent } = await changeOutlet(db, { slug, ...changed }, now())
  return [
    `${name}: ${discountPercent}% off, ${commissionPercent}% commission from now on.`,
    ...(email ? [`${email} chooses a password at ${config.publicUrl}/forgot-password`] : []),
  ]
}

async function close(shop: Shop, slug: string): Promise<string[]> {
  const last = await closeOutlet(shop, slug)
  return [
    last
      ? `${slug} is closed; its last statement is ${last.number}.`
      : `${slug} is closed; nothing was left to state.`,
  ]
}

async function list({ db }: Shop): Promise<string[]> {
  const outlets = await selectOutlets(db)
  if (outlets.length === 0) return ['There are no bookshops yet.']
  return outlets.map(
    ({ slug, name, discountPercent, commissionPercent, closedAt }) =>
      `${slug ?? '(no name)'}  ${name}: ${discountPercent}% off, ${commissionPercent}% commission${closedAt ? `, closed ${closedAt.toISOString().slice(0, 10)}` : ''}`,
  )
}

async function listPacks({ db, config: { shopZone } }: Shop): Promise<string[]> {
  const requests = await selectOpenPackRequests(db, PACKS_AT_MOST)
  return tableOr(
    'No bookshop is waiting for a starter pack.',
    requests.map(({ id, askedAt, packs, shopName, town, contact, email }) => [
      id.slice(0, 8),
      day(askedAt, shopZone),
      String(packs),
      `${shopName}, ${town}`,
      `${contact} <${email}>`,
    ]),
  )
}

const PACKS_AT_MOST = 200

async function finishPacks({ db, now }: Shop, typed: string): Promise<string[]> {
  const { id, shopName } = await rowByIdPrefix('open request', typed, (prefix) =>
    selectPackRequestsBy(db, prefix),
  )
  await finishPackRequest(db, id, now())
  return [`${shopName} is off the list. When it sells cards: npm run outlets -- add`]
}
