import { ChangePasswordForm } from '#features/account/ChangePasswordForm.tsx'
import { changePassword } from '#features/account/mutations.ts'
import { keepToken } from '#session/changes.ts'
import { currentOwner } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import styles from './account.module.css'

export function ChangePasswordScreen() {
  return (
    <Wrap className={styles.screen}>
      <PageHead title="Change password" hidden />
      <Display as="h1" size="lg">
        Change password
      </Display>
      <ChangePasswordForm change={change} />
    </Wrap>
  )
}

async function change(oldPassword: string, newPassword: string): Promise<void> {
  const uuid = currentOwner()
  if (uuid) await keepToken(await changePassword(uuid, oldPassword, newPassword))
}
