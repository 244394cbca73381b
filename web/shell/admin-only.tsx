import Lock from 'lucide-react/icons/lock';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { mayAdminister, mayModerate } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState, LoadingState } from '#web/ui/state-message.tsx';
import styles from './admin-only.module.css';
import { loginPath } from './return-path.ts';

type AdminOnlyProps = {
  /** True if moderators see it, too. */
  forModerators?: boolean;
  /** The title for all other users, and the text that tells them their options. */
  deniedTitle: string;
  deniedText?: string;
  deniedAction?: ReactNode;
  children: ReactNode;
};

/** Shows a part of a page to administrators, and optionally to moderators; a visitor gets a button to sign in. */
export function AdminOnly({
  forModerators = false,
  deniedTitle,
  deniedText,
  deniedAction,
  children,
}: AdminOnlyProps) {
  const { user, isPending } = useCurrentUser();
  const [path] = useLocation();
  if (isPending) return <LoadingState>Checking authentication...</LoadingState>;
  if (forModerators ? mayModerate(user) : mayAdminister(user)) return children;
  const actions = (
    <>
      {deniedAction}
      {user ? (
        <ButtonLink href="/leaderboards">Leaderboards</ButtonLink>
      ) : (
        <ButtonLink href={loginPath(path)}>Sign In</ButtonLink>
      )}
    </>
  );
  return (
    <Card className={styles['denied']}>
      <EmptyState title={deniedTitle} icon={<Lock size={22} />} actions={actions}>
        {deniedText}
      </EmptyState>
    </Card>
  );
}
