import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { Link } from '@tanstack/react-router'
import type { Plan } from '#contract/plans.ts'
import { memberDiscount, plans } from '#features/shop-details/plans.ts'
import { has } from '#features/shop-details/shop.ts'
import { price } from '#format/money.ts'
import { Display } from '#ui/Display.tsx'
import { Icon } from '#ui/Icon.tsx'
import styles from './MembersBlock.module.css'

interface MembersBlockProps {
  /** `member`: needs a membership; `upgrade`: a higher plan than this reader's. */
  access: 'member' | 'upgrade'
  minimumTier: 'supporter' | 'reader' | null
  /** What is held back: "recording", "film". */
  what: string
  signedIn: boolean
  from: string
}

const promisesOf = ({ tier, creditsPerMonth }: Plan): string[] => {
  const off = memberDiscount() > 0 ? [`Up to ${memberDiscount()}% off the collection`] : []
  const free =
    creditsPerMonth > 0
      ? [`${creditsPerMonth} free audiobook${creditsPerMonth === 1 ? '' : 's'} every month`]
      : []
  return tier === 'supporter'
    ? ['Articles and recordings for members', ...free, ...off, 'Subscriber-only event invitations']
    : ['Every article and recording', ...free, ...off]
}

/** The first that somebody can join and that includes it: a tier of its own, or one above; by the month, or by the year. */
const PLANS_FROM = { supporter: [6, 7, 4, 5, 1, 2], reader: [4, 5, 1, 2] } as const

/** One plain plan card where player and video would stand; the words above it stay whole for everybody (EDIT-05). */
export function MembersBlock({ access, minimumTier, what, signedIn, from }: MembersBlockProps) {
  // Nobody can become one.
  if (!has('membership')) return null
  const tier = minimumTier ?? 'supporter'
  const all = plans()
  const ids = PLANS_FROM[tier]
  const plan = all[ids.find((id) => all[id].sold) ?? ids[0]]
  return (
    <section className={styles.block} aria-labelledby="members">
      <Display as="h2" size="md" id="members">
        The {what} is for members
      </Display>
      <p className={styles.why}>
        {access === 'upgrade'
          ? `Your plan doesn’t include this ${what}. ${plan.type} does, and you can switch at any time.`
          : `Members pay the people who write and read these pieces. You can read it all here; the ${what} comes with a membership.`}
      </p>
      <div className={styles.plan}>
        <div>
          <p className={styles.name}>{plan.type}</p>
          <p className={styles.price}>
            <b>{price(plan.priceMinor)}</b> <span>{plan.yearly ? 'a year' : 'a month'}</span>
          </p>
        </div>
        <ul role="list">
          {promisesOf(plan).map((promise) => (
            <li key={promise}>
              <Icon of={CheckIcon} size={20} />
              {promise}
            </li>
          ))}
        </ul>
      </div>
      <p className={styles.ways}>
        <Link to="/subscription/{-$token}" className="text-link">
          See the plans
        </Link>
        {!signedIn && (
          <Link to="/login" search={{ from }} className="text-link">
            Log in
          </Link>
        )}
      </p>
    </section>
  )
}
