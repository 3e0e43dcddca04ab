import { useQuery } from '@tanstack/react-query'
import type { Order, OrderItem, OrderMember } from '#contract/orders.ts'
import { TitleCard } from '#features/gifts/GiftCard.tsx'
import { allGivenQuery, type Given, isMembership } from '#features/gifts/given-gifts.ts'
import { PrintCard } from '#features/gifts/PrintCard.tsx'
import { useSession } from '#session/store.ts'
import { LinkButton } from '#ui/Button.tsx'
import styles from './checkout.module.css'

/** The titles of an order that were given: each as its recipient will see it, with a card to print. */
export function PresentsGiven({ order: { uuid, orderItems } }: { order: Order | OrderMember }) {
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const giver = useSession((state) => state.owner?.fullName ?? 'you')
  const { data } = useQuery({ ...allGivenQuery(owner), enabled: owner !== '' })
  const given = data?.filter(({ order }) => order === uuid) ?? []
  return (
    <>
      {orderItems
        .filter(({ gift }) => gift)
        .map((item) => {
          const book = item.audioBook ?? item.eBook
          const gift = given.find((each) => isOf(each, item))
          return (
            book && (
              <section
                key={item.id}
                aria-label={`What ${item.giftEmail ?? 'they'} will open`}
                className={styles.present}
              >
                <TitleCard book={book} giver={giver} message={gift?.giftMessage ?? null} />
                <div className={styles.ways}>
                  {gift?.changeable && <PrintCard gift={gift} />}
                  <LinkButton to="/gifts" search={{}} look="text">
                    See your gifts
                  </LinkButton>
                </div>
              </section>
            )
          )
        })}
    </>
  )
}

const isOf = (gift: Given, { audioBook, eBook, giftEmail }: OrderItem) =>
  !isMembership(gift) &&
  gift.slug === (audioBook ?? eBook)?.slug &&
  gift.format === (audioBook ? 'audiobook' : 'e-book') &&
  gift.giftEmail === giftEmail
