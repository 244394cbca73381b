import { useSearchParams } from 'wouter';
import type { Answer } from '#web/api/call-api.ts';
import type { Send } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Failure } from '#web/ui/state-message.tsx';
import { useCalls } from '#web/ui/use-call.ts';
import styles from './account-data.module.css';

type LinkedProviderProps = {
  provider: NonNullable<Answer<'GET /api/account/credentials'>['linkableProvider']>;
  isRecent: boolean;
};

/** Links the outside provider to an account of this server, or unlinks it; says what came of it. */
export function LinkedProvider({ provider: { name, isLinked }, isRecent }: LinkedProviderProps) {
  const [search] = useSearchParams();
  const { run, isBusy } = useCalls(isLinked ? unlink : link, { failure: 'Not Changed' });

  return (
    <>
      {search.get('error') === 'linked' && (
        <Failure boxed>
          Nothing was linked: another account here signs in with that identity, or you came back in another
          browser.
        </Failure>
      )}
      {search.get('done') === 'linked' && isLinked && (
        <output>You can sign in with {name} from now on.</output>
      )}
      <div className={styles['line']}>
        <p className={common['note']}>
          {isLinked
            ? `${name} signs you in to this account.`
            : `Sign in to this account with ${name} as well.`}
        </p>
        <Button pending={isBusy} aria-disabled={!isRecent} onClick={() => void run()}>
          {isLinked ? `Unlink ${name}` : `Link ${name}`}
        </Button>
      </div>
    </>
  );
}

/** Goes to the provider, which sends the browser back. */
async function link(send: Send): Promise<void> {
  const { url } = await send('POST /api/account/provider');
  window.location.assign(url);
}

async function unlink(send: Send): Promise<void> {
  await send('DELETE /api/account/provider');
}
