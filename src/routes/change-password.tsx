import { createFileRoute } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { NoPasswordYet } from '#features/account/no-password-yet.tsx'
import { changePassword } from '#features/account/mutations.ts'
import { ChangePasswordForm } from '#features/account/PasswordForms.tsx'
import { keepToken } from '#session/session.ts'
import { currentOwner, useSession } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-account/account.module.css'
import { MembersOnly } from './-account/MembersOnly.tsx'

export const Route = createFileRoute('/change-password')({
  staticData: { frame: 'own' },
  component: () => (
    <MembersOnly>
      <ChangePasswordScreen />
    </MembersOnly>
  ),
})

function ChangePasswordScreen() {
  const withoutPassword = useSession(({ user }) => user?.withoutPassword)
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Change password" hidden />
      <Display as="h1" size="lg">
        Change password
      </Display>
      {withoutPassword ? <NoPasswordYet /> : <ChangePasswordForm change={change} />}
    </Wrap>
  )
}

async function change(oldPassword: string, newPassword: string): Promise<void> {
  const uuid = currentOwner()
  if (uuid) await keepToken(await changePassword(uuid, oldPassword, newPassword))
}
