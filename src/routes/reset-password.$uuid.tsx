import { createFileRoute, Link } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { NewPasswordForm } from '#features/account/PasswordForms.tsx'
import { textIn } from '#format/address.ts'
import { useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-account/account.module.css'

export const Route = createFileRoute('/reset-password/$uuid')({
  staticData: { frame: 'own' },
  validateSearch: (search): { token?: string | undefined } => ({ token: textIn(search.token) }),
  component: () => <ResetPasswordScreen id={Route.useParams().uuid} token={Route.useSearch().token} />,
})

interface ResetPasswordScreenProps {
  id: string
  token?: string | undefined
}

function ResetPasswordScreen({ id, token = '' }: ResetPasswordScreenProps) {
  const signedIn = useSession((state) => state.status === 'user')
  return (
    <Wrap className={styles.screen}>
      <PageHead title="CHOOSE A NEW PASSWORD" hidden />
      {/* Keeps the token out of the referrer. */}
      <meta name="referrer" content="no-referrer" />
      <Display as="h1" size="lg">
        CHOOSE A NEW PASSWORD
      </Display>
      <NewPasswordForm
        id={id}
        token={token}
        logIn={
          signedIn ? undefined : (
            <LinkButton to="/login" look="solid">
              Log in
            </LinkButton>
          )
        }
      />
      <p className={styles.more}>
        The link works for one hour. <Link to="/forgot-password">Ask for another</Link>
      </p>
    </Wrap>
  )
}
