import { createFileRoute } from '@tanstack/react-router'
import { ChangePasswordForm } from '#features/account/ChangePasswordForm.tsx'
import { changePassword } from '#features/account/mutations.ts'
import { keepToken } from '#session/changes.ts'
import { currentOwner } from '#session/store.ts'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import styles from './-AccountScreen.module.css'
import { MembersOnly } from './-MembersOnly.tsx'

export const Route = createFileRoute('/change-password')({
  component: () => (
    <MembersOnly>
      <Wrap className={styles.screen}>
        <PageHead title="Change password" hidden />
        <Display as="h1" size="lg">
          Change password
        </Display>
        <ChangePasswordForm change={change} />
      </Wrap>
    </MembersOnly>
  ),
})

async function change(oldPassword: string, newPassword: string): Promise<void> {
  const uuid = currentOwner()
  if (uuid) await keepToken(await changePassword(uuid, oldPassword, newPassword))
}
