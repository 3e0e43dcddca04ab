import { createFileRoute, Link } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { has } from '#features/shop-details/shop.ts'
import { StatementForm } from './-pages/StatementForm.tsx'
import { textIn } from '#format/address.ts'
import { useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import layout from './-layout/layout.module.css'
import { PageTop } from './-layout/PageTop.tsx'
import styles from './-pages/withdraw.module.css'

export const Route = createFileRoute('/withdraw')({
  validateSearch: (search: { order?: string | undefined }) => search,
  component: () => <WithdrawScreen order={textIn(Route.useSearch().order)} />,
})

interface WithdrawScreenProps {
  /** The order number from an email's link. */
  order?: string | undefined
}

/**
 * Linked in every footer (Directive (EU) 2023/2673, Article 11a). Everyone can state a withdrawal here; members and
 * givers also on the page of their contract.
 */
function WithdrawScreen({ order }: WithdrawScreenProps) {
  // A different user gets an empty form.
  const person = useSession((state) => state.user?.uuid ?? 'visitor')
  return (
    <Wrap className={layout.page}>
      <PageHead
        title="Withdraw from a contract"
        description="Changed your mind? Withdraw here, with or without an account."
        canonical="/withdraw"
      />
      <PageTop
        title="Withdraw from a contract"
        lead="You have 14 days from the day you paid to change your mind. You don’t need a reason."
      />
      <div className={styles.ways}>
        <section aria-labelledby="statement">
          <Display as="h2" size="sm" id="statement">
            Withdraw from contract here
          </Display>
          <p>You don’t need an account. We’ll email you a confirmation with the date and time.</p>
          <StatementForm key={person} order={order} />
        </section>
        {has('membership') && (
          <section>
            <Display as="h2" size="sm">
              Your membership
            </Display>
            <p>When you’re logged in, you’ll see what you get back before you confirm.</p>
            <LinkButton to="/subscription-details" hash="withdraw" look="quiet">
              Withdraw from your membership
            </LinkButton>
          </section>
        )}
        <section>
          <Display as="h2" size="sm">
            A gift you’ve sent
          </Display>
          <p>
            You can take a gift back until it’s opened. If you don’t have an account, use the link in the
            email we sent you when you bought it, or the form above.
          </p>
          <LinkButton to="/gifts" look="quiet">
            Gifts you’ve sent
          </LinkButton>
        </section>
        <section>
          <Display as="h2" size="sm">
            Books
          </Display>
          <p>
            We deliver books the moment you pay. Before you paid, you agreed to that, and that you can’t
            withdraw once we’ve delivered. If something’s wrong with one, tell us and we’ll put it right.
          </p>
        </section>
        <section>
          <Display as="h2" size="sm">
            Anything else
          </Display>
          <p>
            You can also write to us.{' '}
            <Link to="/info/$slug" params={{ slug: 'support' }} className="text-link">
              Write to us
            </Link>
          </p>
        </section>
      </div>
    </Wrap>
  )
}
