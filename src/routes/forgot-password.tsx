import { createFileRoute, Link } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { ForgotPassword } from '#features/account/PasswordForms.tsx'
import { Display } from '#ui/Display.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-account/account.module.css'

export const Route = createFileRoute('/forgot-password')({
  staticData: { frame: 'own' },
  component: ForgotPasswordScreen,
})

function ForgotPasswordScreen() {
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Forgotten your password?" hidden />
      <Display as="h1" size="lg">
        Forgotten your password?
      </Display>
      <p className={styles.lead}>Tell us your address, and we’ll send you a link to choose a new one.</p>
      <ForgotPassword
        others={<Link to="/login">Back to log in</Link>}
        logIn={
          <LinkButton to="/login" look="solid">
            Log in
          </LinkButton>
        }
      />
    </Wrap>
  )
}
