import { WALLET_NAMES } from '#contract/wallets.ts'
import { changeCommand, type Group, group, pence, showCommand } from './command-line.ts'
import { day, minute } from '../settings/days.ts'
import { letterLines } from './email-lines.ts'
import { type Change, doneSoFar, type Shown } from './frame.ts'
import { table, tableOr } from '../print/table.ts'
import { formatPounds } from '../format.ts'
import { selectMailsAbout } from '../integrations/mail/queries.ts'
import { BadSetting } from '../settings/bad-setting.ts'
import type { Shop } from '../shop.ts'
import { refused } from '../http/http-errors.ts'
import {
  type Goodwill,
  mailOfRefund,
  planRefund,
  type RefundPlan,
  refundLines,
} from '../features/checkout/refund-order-lines.ts'
import { deliverOrderAgain, receiptOf, sendReceiptAgain } from '../features/fulfilment/repeat-order.ts'
import { type RefundRow, selectRefundsOfOrder } from '../features/refunds/queries.ts'
import { findOrders, orderNumbered, stateWords } from '../features/orders/service.ts'
import { selectPaymentAttempts, selectUndecidedOf } from '../features/orders/queries.ts'
import { assignRefund, refundMail } from '../features/orders/refunds-and-disputes.ts'
import { undecidedFor } from '../features/orders/undecided-refunds.ts'
import { selectTitleGiftsOfLines, selectMembershipGiftsOfLines } from '../features/gifts/queries.ts'

export const ordersCommand: Group = ({ show, change }) =>
  group('orders', [
    showCommand('find')
      .description(
        'Finds orders by number, by a part of the buyer’s name or address, of a title or of a gift’s address, by payment (pi_…), or by the last four digits of the card',
      )
      .argument('<words...>')
      .action((words, options) => show(options, (shop) => find(shop, words.join(' ')))),
    showCommand('show')
      .description('Shows lines, payment, refunds, and the emails about an order')
      .argument('<number>')
      .action((number, options) => show(options, (shop) => showOrder(shop, number))),
    changeCommand('refund')
      .description(
        'Refunds lines, and removes their titles once the money has gone. A free audiobook, a code or a card that paid for a line is given back',
      )
      .argument('<number>')
      .option('--line <line>', 'Only this line, by its place as show prints it. Can be repeated', addPlace)
      .option('--keep', 'The buyer keeps the titles')
      .option(
        '--amount <pounds>',
        'Refunds a part, like 3.00; needs --keep',
        pence('--amount', { example: '3.00', most: 99_999_99 }),
      )
      .action((number, options) =>
        change(options, (shop) => refund(shop, number, options.line ?? null, goodwillOf(options))),
      ),
    changeCommand('assign')
      .description(
        'Says which line a refund in the provider’s dashboard was for, where several lines have its price; the title leaves the library',
      )
      .argument('<number>')
      .option('--line <line>', 'The line, by its place as show prints it', addPlace)
      .action((number, options) => change(options, (shop) => assign(shop, number, options.line ?? null))),
    changeCommand('resend')
      .description('Sends the confirmation again')
      .argument('<number>')
      .action((number, options) => change(options, (shop) => resend(shop, number))),
    changeCommand('deliver')
      .description(
        'Asks the provider whether it was paid, adds what is missing to the library, and sends unopened gifts again, with new links',
      )
      .argument('<number>')
      .action((number, options) => change(options, (shop) => deliver(shop, number))),
  ])

function addPlace(line: string, before: readonly number[] = []): number[] {
  if (!/^[1-9]\d?$/.test(line))
    throw new BadSetting(`--line is the number of a line, as show has it, not “${line}”.`)
  return [...before, Number(line)]
}

/** Null for a refund that takes the titles back. */
function goodwillOf({
  keep,
  amount,
}: {
  readonly keep?: true | undefined
  readonly amount?: number | undefined
}): Goodwill | null {
  if (keep) return { amountMinor: amount ?? null }
  if (amount !== undefined) throw new BadSetting('--amount refunds a part, so it needs --keep.')
  return null
}

async function find({ db, config: { shopZone } }: Shop, words: string): Promise<Shown> {
  const found = await findOrders(db, words)
  return {
    lines: tableOr(
      `No order is found by “${words}”.`,
      found.map(({ order, titles }) => [
        order.number,
        day(order.createdAt, shopZone),
        formatPounds(order.totalMinor),
        stateWords(order),
        order.buyerEmail || '(account closed)',
        titles,
      ]),
    ),
    json: found.map(({ order, titles }) => ({ ...order, titles })),
  }
}

type Order = Awaited<ReturnType<typeof orderNumbered>>['order']

interface LineGift {
  readonly email: string
  readonly claimedAt: Date | null
  readonly takenBackAt: Date | null
}

/** The recipient of a gift line: the address on the order, and the current one if the giver corrected it. */
function giftWords(
  { giftEmail }: { readonly giftEmail: string | null },
  gift: LineGift | undefined,
  zone: string,
): string {
  if (giftEmail === null) return ''
  const corrected = gift && gift.email !== giftEmail ? `, corrected to ${gift.email}` : ''
  const became = gift?.claimedAt
    ? `, opened ${day(gift.claimedAt, zone)}`
    : gift?.takenBackAt
      ? `, taken back by its giver ${day(gift.takenBackAt, zone)}`
      : ''
  return `, a gift for ${giftEmail}${corrected}${became}`
}

async function showOrder(shop: Shop, number: string): Promise<Shown> {
  const { order, lines, payment } = await orderNumbered(shop.db, number)
  const lineIds = lines.map(({ id }) => id)
  const gifts = [
    ...(await selectTitleGiftsOfLines(shop.db, lineIds)),
    ...(await selectMembershipGiftsOfLines(shop.db, lineIds)),
  ]
  const [tries, refunds, undecided, mails, done] = await Promise.all([
    selectPaymentAttempts(shop.db, order.id),
    selectRefundsOfOrder(shop.db, order.id),
    selectUndecidedOf(shop.db, order.id),
    selectMailsAbout(shop.db, [order.id, ...gifts.map(({ id }) => id)]),
    doneSoFar(shop, { about: `order ${order.number}` }),
  ])
  const zone = shop.config.shopZone
  const paidBy = payment?.type
    ? `, by ${payment.wallet ? WALLET_NAMES[payment.wallet] : payment.type}${payment.last4 ? ` ending in ${payment.last4}` : ''}`
    : ''
  return {
    lines: [
      `${order.number}, ${stateWords(order)}${order.paidAt ? `, ${minute(order.paidAt, zone)}` : `, made ${minute(order.createdAt, zone)}`}`,
      `  ${order.buyerName ? `${order.buyerName} <${order.buyerEmail}>` : 'Its buyer’s account is closed.'}`,
      `  ${formatPounds(order.totalMinor)} with ${formatPounds(order.vatMinor)} VAT${paidBy}${order.couponCode ? `, code ${order.couponCode}` : ''}`,
      ...(payment?.intentId ? [`  At the provider: ${payment.intentId}`] : []),
      ...(payment?.checkProblem ? [`  The provider could not be asked: ${payment.checkProblem}`] : []),
      '',
      ...table(
        lines.map((line, index) => [
          `  ${index + 1}`,
          formatPounds(line.priceMinor),
          `${line.title}${giftWords(
            line,
            gifts.find(({ orderLineId }) => orderLineId === line.id),
            zone,
          )}${line.refundedAt ? `, taken back ${day(line.refundedAt, zone)}` : ''}`,
        ]),
      ),
      ...(tries.length > 0
        ? [
            '',
            'Tries to pay',
            ...tries.map(
              (one) => `  ${minute(one.triedAt, zone)}  ${one.outcome}${one.reason ? `: ${one.reason}` : ''}`,
            ),
          ]
        : []),
      ...(refunds.length > 0 || undecided.length > 0
        ? [
            '',
            'Money back',
            ...refunds.map((each) => `  ${refundWords(each)}`),
            ...undecided.map(
              ({ amountMinor }) =>
                `  ${formatPounds(amountMinor)} went back at the provider, and it is open for which line: npm run orders -- assign`,
            ),
          ]
        : []),
      ...(mails.length > 0
        ? [
            '',
            'Mails',
            ...table(
              mails.map((mail) => [
                `  ${mail.id.slice(0, 8)}`,
                minute(mail.queuedAt, zone),
                mail.kind,
                fateOf(mail),
              ]),
            ),
          ]
        : []),
      ...done.lines,
    ],
    json: {
      order,
      lines,
      payment: payment ?? null,
      tries,
      refunds,
      undecidedRefunds: undecided,
      mails: mails.map(({ data: _data, ...mail }) => mail),
      logbook: done.json,
    },
  }
}

const fateOf = ({ sentAt, failedAt }: { sentAt: Date | null; failedAt: Date | null }): string =>
  sentAt ? 'sent' : failedAt ? 'given up' : 'waiting'

const NOTHING_SENT: Readonly<Record<string, string>> = {
  nothing_was_charged: 'nothing was ever charged, so nothing went back.',
  nothing_was_left: 'all of it had gone back before.',
  the_bank_took_it_back: 'their bank had taken it back before.',
}

function refundWords({ amountMinor, state, problem }: RefundRow): string {
  const sum = formatPounds(amountMinor)
  if (state === 'done')
    return problem === null ? `${sum} went back.` : `${sum}: ${NOTHING_SENT[problem] ?? problem}`
  if (state === 'sent') return `${sum} is on its way to their bank.`
  if (state === 'asked') return `${sum} is asked for; the running shop sends it within two minutes.`
  return `${sum} was refused by the provider (${problem}). It stays owed, and is asked for again.`
}

async function refund(
  shop: Shop,
  number: string,
  places: number[] | null,
  goodwill: Goodwill | null,
): Promise<Change> {
  const plan = await planRefund(shop.db, number, places, goodwill)
  const { order, paid, unpaid, amountMinor } = plan
  return {
    about: `order ${order.number}`,
    userId: order.userId,
    what: `${formatPounds(amountMinor)} back for ${[...paid, ...unpaid].map(({ title }) => title).join(', ')}${goodwill ? ', which the buyer keeps' : ''}`,
    will: willRefund(shop, plan),
    carryOut: async () => {
      const { refundId } = await refundLines(shop, number, places, amountMinor, goodwill)
      const asked = (await selectRefundsOfOrder(shop.db, order.id)).find(({ id }) => id === refundId)
      return {
        lines: asked ? [refundWords(asked)] : ['It is taken back.'],
        json: { refund: asked ?? null },
      }
    },
  }
}

async function assign(shop: Shop, number: string, places: number[] | null): Promise<Change> {
  const { order, lines } = await orderNumbered(shop.db, number)
  if (places?.length !== 1) throw new BadSetting('assign needs the number of one line: --line 2')
  const line = lines[places[0]! - 1]
  if (!line) throw refused(`${order.number} has no line ${places[0]}.`)
  const { amountMinor } = await undecidedFor(shop.db, order, line)
  return {
    about: `order ${order.number}`,
    userId: order.userId,
    what: `${formatPounds(amountMinor)} that went back was for ${line.title}`,
    will: [
      `${formatPounds(amountMinor)} that went back already was for ${line.title}: ${leavingWords(line)}`,
      ...(order.buyerEmail === '' ? [] : letterLines(refundMail(order, [line], amountMinor), shop.config)),
    ],
    carryOut: async () => {
      await assignRefund(shop, { orderId: order.id, lineId: line.id })
      return { lines: [`${line.title} is taken back.`], json: { line: line.id } }
    },
  }
}

function willRefund({ config }: Shop, plan: RefundPlan): string[] {
  const { order, paid, unpaid, amountMinor, keepsLines } = plan
  const mail = mailOfRefund(plan, config.details.plans)
  return [
    ...(paid.length > 0
      ? [
          `${formatPounds(amountMinor)} goes back to who paid ${order.number}, to where it came from.`,
          ...paid.map(
            (line) =>
              `  ${line.title}, ${formatPounds(line.priceMinor)}: ${keepsLines ? 'the buyer keeps it.' : leavingWords(line)}`,
          ),
        ]
      : []),
    ...unpaid.map((line) => `${line.title} cost no money: ${leavingWords(line)}`),
    ...(unpaid.length > 0 ? [givesBackWords(order)] : []),
    ...(mail ? letterLines(mail, config) : []),
  ]
}

function leavingWords({ sold, gift, deliveredId }: RefundPlan['paid'][number]): string {
  if (sold.kind === 'membership') return 'the membership ends with it if all of its money goes back.'
  if (gift) return 'the gift opens nothing any more, and leaves whoever opened it.'
  return deliveredId === null ? 'it is in no library by this order.' : 'it leaves the library.'
}

function givesBackWords({ taken, couponCode }: Order): string {
  if (taken === 'credit') return 'They can choose another free audiobook, and are told so by mail.'
  if (taken === 'card') return 'The card can be used again, and they are told so by mail.'
  if (couponCode)
    return `The use of ${couponCode} is free again once all of the order went back. They are told by mail.`
  return 'They are told by mail.'
}

async function resend(shop: Shop, number: string): Promise<Change> {
  const { order, mail } = await receiptOf(shop, number)
  return {
    about: `order ${order.number}`,
    userId: order.userId,
    what: 'sent the confirmation again',
    will: letterLines(mail, shop.config),
    carryOut: async () => {
      await sendReceiptAgain(shop, number)
      return { lines: ['It is on its way.'], json: {} }
    },
  }
}

async function deliver(shop: Shop, number: string): Promise<Change> {
  const { order } = await orderNumbered(shop.db, number)
  return {
    about: `order ${order.number}`,
    userId: order.userId,
    what: 'delivered again',
    will:
      order.state === 'paid'
        ? [
            'What is missing in the library comes there. Gifts that nobody opened are mailed again, with new links.',
          ]
        : [
            'The provider is asked whether it was paid; if so, it is delivered, and the buyer gets the confirmation.',
          ],
    carryOut: () => deliverOrderAgain(shop, number),
  }
}
