import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { ownKey } from '#features/query-keys.ts'
import { allGivenQuery, givenByLinkQuery, type Given } from '#features/gifts/given.ts'
import { NetProblem } from '#net/problem.ts'
import { useSession } from '#session/store.ts'
import { isOpen } from '#features/shop-details/shop.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Display } from '#ui/Display.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { GivenGifts } from './GivenGifts.tsx'
import styles from './gifts.module.css'

/** All books and memberships that the user gave. */
export function GivenGiftsScreen() {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const queryClient = useQueryClient()
  const query = useQuery({ ...allGivenQuery(owner), enabled: owner !== '' })
  return (
    <Gifts
      title="Gifts you’ve sent"
      query={query}
      gifts={query.data}
      onChanged={() => queryClient.invalidateQueries({ queryKey: ownKey(owner) })}
      empty={
        <Empty
          title="You haven’t sent a gift yet."
          help="Any book can be a gift: choose Gift on its page. A membership can be one too."
          action={
            <>
              <LinkButton to="/browse" look="solid">
                Browse the shelves
              </LinkButton>
              {isOpen('/gift') && (
                <LinkButton to="/gift" look="quiet">
                  Give a membership
                </LinkButton>
              )}
            </>
          }
        />
      }
    />
  )
}

/** One gift, opened by the link in its giver's email, without a log-in. */
export function GivenByLinkScreen({ token }: { token: string }) {
  const signedIn = useSession((state) => state.status === 'user')
  const query = useQuery(givenByLinkQuery(token))
  const { data: gift, error } = query
  const isUnknown = gift === null || (error instanceof NetProblem && error.status === 404)
  return (
    <Gifts
      title="Your gift"
      query={isUnknown ? { ...query, isError: false } : query}
      gifts={isUnknown ? [] : gift && [gift]}
      token={token}
      onChanged={() => query.refetch()}
      empty={
        <Empty
          title="This link doesn’t lead to a gift."
          help={
            signedIn
              ? 'It may be incomplete. All the gifts you’ve sent are on one page.'
              : 'It may be incomplete. Log in to see all the gifts you’ve sent.'
          }
          action={
            <LinkButton to="/gifts" search={{}} look="solid">
              Gifts you’ve sent
            </LinkButton>
          }
        />
      }
      below={
        signedIn &&
        !isUnknown && (
          <LinkButton to="/gifts" search={{}} look="text">
            All the gifts you’ve sent
          </LinkButton>
        )
      }
    />
  )
}

interface GiftsProps {
  title: string
  query: { isError: boolean; isFetching: boolean; refetch: () => unknown }
  gifts: readonly Given[] | undefined
  token?: string
  onChanged: () => Promise<unknown>
  empty: ReactNode
  below?: ReactNode
}

function Gifts({ title, query, gifts, token, onChanged, empty, below }: GiftsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Wrap className={styles.sent}>
      <PageHead title={title} hidden />
      <Display as="h1" size="lg" tabIndex={-1} ref={heading}>
        {title}
      </Display>
      {gifts === undefined && query.isError ? (
        <Empty
          title="We can’t load your gifts just now."
          help="Check your connection and try again. Nothing about them has changed."
          action={
            <Button look="solid" busy={query.isFetching} onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        />
      ) : gifts === undefined ? (
        <div aria-busy="true">
          <Skeleton height="220px" />
        </div>
      ) : gifts.length === 0 ? (
        empty
      ) : (
        <GivenGifts gifts={gifts} token={token} heading={heading} onChanged={onChanged} />
      )}
      {below}
    </Wrap>
  )
}
