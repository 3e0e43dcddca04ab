import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { authorsOf, coverOf } from '#features/catalogue/model.ts'
import { accountQuery, additionsQuery, statementsQuery } from '#features/outlets/queries.ts'
import { Cover } from '#ui/Cover.tsx'
import type { OutletAccount, OutletStatement } from '#contract/outlets.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import styles from './point-of-sale.module.css'
import { FileTextIcon } from '@phosphor-icons/react/dist/csr/FileText'
import { monthYear, dayAndMonth } from '#format/date.ts'
import { Icon } from '#ui/Icon.tsx'
import { NewTab } from '#ui/NewTab.tsx'
import { shop } from '#features/shop-details/shop.ts'

/** The bookshop's account and new titles. A part that can't be loaded is left out, so that sales can continue. */
export function BookshopAccount({ owner }: { owner: string }) {
  const account = useQuery(accountQuery(owner)).data
  const statements = useQuery(statementsQuery(owner)).data?.['hydra:member'] ?? []
  if (!account) return null
  return (
    <>
      <div>
        <MonthSoFar account={account} />
        <Statements statements={statements} />
      </div>
      <NewCards owner={owner} today={account.from} />
    </>
  )
}

/** The titles that became available as cards in a month; the monthly email links here. */
function NewCards({ owner, today }: { owner: string; today: string }) {
  const [back, setBack] = useState(false)
  const before = monthBefore(today)
  const { data } = useQuery(additionsQuery(owner, back ? before : undefined))
  if (!data) return null
  const month = monthOf(back ? before : today)
  return (
    <section id="additions" aria-labelledby="new-cards">
      <div className={styles.accountHead}>
        <Display id="new-cards">New cards in {month}</Display>
        <button type="button" onClick={() => setBack(!back)}>
          {monthOf(back ? today : before)}
        </button>
      </div>
      {data['hydra:member'].length === 0 ? (
        <p className={styles.noneYet}>No new titles that month.</p>
      ) : (
        <ul role="list" className={styles.additions}>
          {data['hydra:member'].map(({ id, audioBook, price }) => (
            <li key={id}>
              <span className={styles.additionCover}>
                <Cover picture={coverOf(audioBook)} alt="" sizes="48px" thumb />
              </span>
              <span>
                <b>{audioBook.title}</b>
                <small>{authorsOf(audioBook)}</small>
              </span>
              <span>{amount(toMinor(price))}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** The bookshop's earnings since the first of the month. */
const MonthSoFar = ({ account }: { account: OutletAccount }) => (
  <section aria-labelledby="month">
    <div className={styles.accountHead}>
      <Display id="month">{monthOf(account.from)} so far</Display>
      <p>{plural(account.cards, 'card')}</p>
    </div>
    <dl className={styles.lines}>
      {accountLines(account).map(([what, sum]) => (
        <div key={what}>
          <dt>{what}</dt>
          <dd>{sum}</dd>
        </div>
      ))}
      <div className={styles.total}>
        <dt>Yours to keep</dt>
        <dd>{amount(toMinor(account.keeps))}</dd>
      </div>
    </dl>
  </section>
)

const Statements = ({ statements }: { statements: readonly OutletStatement[] }) =>
  statements.length > 0 && (
    <ul role="list" className={styles.statements} aria-label="Statements">
      {statements.map((statement) => (
        <li key={statement.id}>
          <Icon of={FileTextIcon} />
          <div>
            <b>{monthOf(statement.from)} statement</b>
            <small>{statementWords(statement)}</small>
          </div>
          <a
            href={statement.pdf}
            target="_blank"
            rel="noopener"
            aria-label={`Open the statement of ${monthYear(statement.from)}, PDF, in a new tab`}
          >
            Open
            <NewTab />
          </a>
          <a href={statement.csv} download aria-label={`CSV of ${monthYear(statement.from)}`}>
            CSV
          </a>
        </li>
      ))}
    </ul>
  )

/** "November", of a first or last day. */
export const monthOf = (day: string): string => monthYear(day).split(' ')[0] ?? ''

/** "2026-10" for a day of November 2026. */
export function monthBefore(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`
}

/** The lines of the month so far, the sum apart. */
export function accountLines(account: OutletAccount): readonly (readonly [what: string, sum: string])[] {
  const { sold, owed, commission, purchases, discountPercent, commissionPercent } = account
  return [
    ['Sold at the till', amount(toMinor(sold))],
    [`${shop().name}’s ${100 - discountPercent}%`, amount(-toMinor(owed))],
    [`${commissionPercent}% of later purchases, ${purchases} of them`, amount(toMinor(commission))],
  ]
}

/** "61 cards, £198.20 to pay by 30th November", or "paid on 2nd December". */
export function statementWords({ cards, toPay, dueOn, paidOn }: OutletStatement): string {
  const minor = toMinor(toPay)
  const due =
    minor === 0
      ? 'nothing to pay'
      : paidOn
        ? `${amount(Math.abs(minor))} paid on ${dayAndMonth(paidOn)}`
        : minor > 0
          ? `${amount(minor)} to pay by ${dayAndMonth(dueOn)}`
          : `${amount(-minor)} comes to you by ${dayAndMonth(dueOn)}`
  return `${plural(cards, 'card')}, ${due}`
}
