import { useQuery } from '@tanstack/react-query'
import { amount, toMinor } from '#format/money.ts'
import { owedRefundsQuery } from './queries.ts'

interface StillSendingProps {
  owner: string
  className?: string | undefined
}

export function StillSending({ owner, className }: StillSendingProps) {
  const { data } = useQuery({ ...owedRefundsQuery(owner), enabled: owner !== '' })
  const owed = data?.['hydra:member'] ?? []
  if (owed.length === 0) return null
  return (
    <div className={className}>
      {owed.map(({ id, amount: pounds, orderNumber }) => (
        <p key={id}>
          We’re still sending it: {amount(toMinor(pounds))} of your order {orderNumber}. It hasn’t gone
          through yet, so we’ll keep trying. There’s nothing you need to do.
        </p>
      ))}
    </div>
  )
}
