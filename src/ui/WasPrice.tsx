import { amount } from '#format/money.ts'

interface WasPriceProps {
  /** In pence. */
  before: number
  now: number
  className?: string
}

/** The price before a reduction, crossed out. Screen readers often ignore `s`, so it begins with "Was". */
export const WasPrice = ({ before, now, className }: WasPriceProps) =>
  before > now ? (
    <s className={className}>
      <span className="visually-hidden">Was </span>
      {amount(before)}
    </s>
  ) : null
