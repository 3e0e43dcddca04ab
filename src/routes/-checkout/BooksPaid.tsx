import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { BuyNow } from '#contract/buy-now.ts'
import { reloadBag } from '#features/bag/queries.ts'
import {
  type BooksAfterJoining,
  booksAfterJoining,
  forgetBooks,
  rememberPayment,
} from '#features/checkout/store.ts'
import { ownKey } from '#features/query-keys.ts'
import { amount, toMinor } from '#format/money.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { currentSession } from '#session/store.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './checkout.module.css'

/** The second payment of a bag with a membership. This tab stores the books until it is known, so a reload resumes it. */
export function BooksPaid() {
  const [books] = useState(booksAfterJoining)
  return books && <Paying books={books} />
}

const ASK_EVERY_MS = 2_000

function Paying({ books }: { books: BooksAfterJoining }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['books after joining', books.subscription],
    queryFn: async (): Promise<BuyNow | 'not-paid'> => {
      const answer = await payBooks(books)
      if (answer !== 'not-paid' && answer.outcome === 'checking') return answer
      forgetBooks()
      void reloadBag(queryClient)
      const owner = currentSession().owner?.uuid
      if (owner) void queryClient.invalidateQueries({ queryKey: ownKey(owner) })
      return answer
    },
    refetchInterval: ({ state }) =>
      state.data !== 'not-paid' && state.data?.outcome === 'checking' && ASK_EVERY_MS,
    networkMode: 'always',
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const sum = amount(toMinor(books.amount))
  const outcome = data === 'not-paid' ? data : data?.outcome
  return (
    <Wrap>
      <div className={styles.books} role="status">
        {outcome === 'paid' ? (
          <p>Your books are in your library: {sum} paid.</p>
        ) : outcome === 'authenticate' && data !== 'not-paid' && data?.clientSecret ? (
          <>
            <p>
              Your membership has started. Your bank wants to be sure it’s you before it pays {sum} for your
              books.
            </p>
            <Button
              look="beak"
              onClick={() => {
                rememberPayment({ order: data.order, secret: data.clientSecret!, newUser: false })
                void navigate({ to: '/payment', search: { authenticate: '/shopping-bag' } })
              }}
            >
              Continue to your bank
            </Button>
          </>
        ) : outcome === undefined && !isFetching ? (
          <>
            <p>
              Your membership has started. We don’t know yet whether your books are paid. You won’t be charged
              twice.
            </p>
            <Button look="quiet" onClick={() => void refetch()}>
              Check again
            </Button>
          </>
        ) : outcome === undefined || outcome === 'checking' ? (
          <p aria-busy="true">Your membership has started. We’re paying {sum} for your books.</p>
        ) : (
          <>
            <p>
              Your membership has started, but {sum} for your books couldn’t be paid. They’re still in your
              bag, at your member’s price.
            </p>
            <LinkButton to="/shopping-bag" look="quiet">
              Go to your bag
            </LinkButton>
          </>
        )}
      </div>
    </Wrap>
  )
}

/** @throws if the outcome is unknown: the same call is safe to repeat. */
async function payBooks({ cart, ...body }: BooksAfterJoining): Promise<BuyNow | 'not-paid'> {
  try {
    return await call('POST /api/carts/{id}/buy_after_joining', { params: { id: cart }, body })
  } catch (problem) {
    const isRefused =
      problem instanceof NetProblem && (problem.status === 422 || problem.reason === 'total_changed')
    if (isRefused) return 'not-paid'
    throw problem
  }
}
