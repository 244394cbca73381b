import { Compass } from 'lucide-react';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { EmptyState } from '#web/ui/state-message.tsx';

/** What any path shows that is not a page. */
export function Page() {
  return (
    <PageColumn>
      <PageTitle>404 Page Not Found</PageTitle>
      <EmptyState
        title="There is nothing at this address."
        icon={<Compass size={22} />}
        actions={
          <>
            <ButtonLink href="/" variant="primary">
              Go Home
            </ButtonLink>
            <ButtonLink href="/leaderboards">Explore Leaderboards</ButtonLink>
          </>
        }
      />
    </PageColumn>
  );
}
