import { amount } from '#format/money.ts'

interface WasPriceProps {
  /** In pence, before the reduction and after it. */
  before: number
  now: number
  className?: string
}

/** The price before a reduction, crossed out. Screen readers say little about `s`, so it begins with "Was". */
export const WasPrice = ({ before, now, className }: WasPriceProps) =>
  before > now ? (
    <s className={className}>
      <span className="visually-hidden">Was </span>
      {amount(before)}
    </s>
  ) : null
