import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { authorsOf, coverOf } from '#features/catalogue/model.ts'
import { Additions } from '#features/outlets/Additions.tsx'
import { monthBefore, monthOf } from '#features/outlets/model.ts'
import { MonthSoFar } from '#features/outlets/MonthSoFar.tsx'
import { accountQuery, additionsQuery, statementsQuery } from '#features/outlets/queries.ts'
import { Statements } from '#features/outlets/Statements.tsx'
import { Cover } from '#ui/Cover.tsx'

/**
 * The bookshop's debts and earnings, and what is new. Any part that can't be had just now is left out: the till goes
 * on.
 */
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

function NewCards({ owner, today }: { owner: string; today: string }) {
  const [back, setBack] = useState(false)
  const before = monthBefore(today)
  const { data } = useQuery(additionsQuery(owner, back ? before : undefined))
  if (!data) return null
  return (
    <Additions
      month={monthOf(back ? before : today)}
      additions={data['hydra:member']}
      cover={({ audioBook }) => <Cover picture={coverOf(audioBook)} alt="" sizes="48px" thumb />}
      author={({ audioBook }) => authorsOf(audioBook)}
      way={
        <button type="button" onClick={() => setBack(!back)}>
          {monthOf(back ? today : before)}
        </button>
      }
    />
  )
}
