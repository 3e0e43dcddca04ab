import { useNavigate } from '@tanstack/react-router'
import type { HomeContent } from '#contract/office/documents.ts'
import { PagePreview } from '../../documents/PagePreview.tsx'
import { useEditing } from '../../documents/use-document.ts'
import { Drawer } from '../../ui/Drawer.tsx'

/** The home page with the draft in it, as wide as a phone. */
export function LookDrawer() {
  const { name, document } = useEditing<HomeContent>()
  const navigate = useNavigate()
  return (
    <Drawer isLook title="The home page" onClose={() => void navigate({ to: '/home-page' })}>
      <PagePreview name={name} version={document.version} title="The home page as visitors will see it" />
    </Drawer>
  )
}
