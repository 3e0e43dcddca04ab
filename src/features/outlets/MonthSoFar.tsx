import type { OutletAccount } from '#contract/outlets.ts'
import { amount, toMinor } from '#format/money.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import { accountLines, monthOf } from './model.ts'
import styles from './Outlets.module.css'

/** The bookshop's earnings since the first of the month. */
export const MonthSoFar = ({ account }: { account: OutletAccount }) => (
  <section aria-labelledby="month">
    <div className={styles.head}>
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
