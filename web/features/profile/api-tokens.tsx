import { useQuery } from '@tanstack/react-query';
import Copy from 'lucide-react/icons/copy';
import { useRef, useState, type SyntheticEvent } from 'react';
import type { ApiToken } from '#contract/sign-in/api-tokens.ts';
import {
  TOKEN_DAYS,
  TOKEN_NAME_CHARACTERS_MAX,
  TOKEN_SCOPE_LABELS,
  TOKEN_SCOPES,
  type TokenScope,
} from '#contract/sign-in/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { copyText } from '#web/ui/copy-text.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { Switch } from '#web/ui/switch.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from './api-tokens.module.css';
import { QueryState } from '#web/ui/state-message.tsx';
import { ProfileSection } from './profile-section.tsx';

const tokensQuery = apiQuery('GET /api/account/tokens');

/** Lists the tokens with which programs of the user call the API, and creates and removes them. */
export function ApiTokens({ isAdmin }: { isAdmin: boolean }) {
  const kept = useQuery(tokensQuery);
  const { data: tokens } = kept;
  const { data: credentials } = useQuery(apiQuery('GET /api/account/credentials'));
  const [newToken, setNewToken] = useState<string | null>(null);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  if (!tokens) return <QueryState noun="tokens" query={kept} />;
  return (
    <ProfileSection title="API Tokens" heading={heading}>
      <p className={common['note']}>
        A script can upload or read with a token instead of your sign-in. It cannot change your account.
      </p>
      {tokens.length > 0 && (
        <ul className={common['list']}>
          {tokens.map((token) => (
            <li key={token.id} className={styles['token']}>
              <div>
                <p className={styles['name']}>
                  {token.name} <code>…{token.ending}</code>
                </p>
                <p className={common['note']}>{describeToken(token)}</p>
              </div>
              <Button size="small" aria-label={`Revoke ${token.name}`} onClick={() => setRevoking(token)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      {newToken !== null && <NewToken token={newToken} onDone={() => setNewToken(null)} />}
      <TokenForm isAdmin={isAdmin} isRecent={credentials?.isRecent !== false} onCreated={setNewToken} />
      {revoking && (
        <ConfirmDialog
          title="Revoke token?"
          confirmText="Revoke Token"
          focusAfter={heading}
          onConfirm={(send) =>
            send('DELETE /api/account/tokens/:tokenId', { params: { tokenId: revoking.id } })
          }
          onClose={() => setRevoking(null)}
        >
          <p>Programs that use “{revoking.name}” are refused from now on.</p>
        </ConfirmDialog>
      )}
    </ProfileSection>
  );
}

function describeToken({ scopes, expiresAt, lastUsedAt }: ApiToken): string {
  const names = scopes.map((scope) => TOKEN_SCOPE_LABELS[scope].label).join(', ');
  const used = lastUsedAt === null ? 'never used' : `last used ${formatLapDate(lastUsedAt)}`;
  return `${names} · expires ${formatLapDate(expiresAt)} · ${used}`;
}

function NewToken({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <div className={styles['shown']} role="alert">
      <p>Copy the token now: it is not shown again.</p>
      <code className={styles['value']}>{token}</code>
      <div className={styles['actions']}>
        <Button size="small" onClick={() => void copyText('Token', token, 'Keep it like a password.')}>
          <Copy size={16} aria-hidden="true" />
          Copy Token
        </Button>
        <Button size="small" variant="quiet" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}

type TokenFormProps = { isAdmin: boolean; isRecent: boolean; onCreated: (token: string) => void };

function TokenForm({ isAdmin, isRecent, onCreated }: TokenFormProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly TokenScope[]>(['upload']);
  const [days, setDays] = useState<TokenDays>(90);
  const { run, isBusy, fields, sentence } = useCall('POST /api/account/tokens', {
    onDone: ({ token }) => {
      setName('');
      onCreated(token);
    },
  });

  function create(event: SyntheticEvent): void {
    event.preventDefault();
    if (isRecent) void run({ body: { name, scopes: [...scopes], days } });
  }

  return (
    <Form className={styles['form']} onSubmit={create}>
      <div className={styles['fields']}>
        <TextField
          label="Token name"
          placeholder="Laptop in the van"
          maxLength={TOKEN_NAME_CHARACTERS_MAX}
          value={name}
          error={fields['name'] ?? fields['scopes'] ?? sentence ?? undefined}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <DaysField days={days} onChange={setDays} />
      </div>
      <ScopeSwitches isAdmin={isAdmin} scopes={scopes} onChange={setScopes} />
      <div className={styles['actions']}>
        <Button type="submit" pending={isBusy} aria-disabled={!isRecent}>
          Create Token
        </Button>
      </div>
      {!isRecent && <SignInAgain />}
    </Form>
  );
}

type TokenDays = (typeof TOKEN_DAYS)[number];

function DaysField({ days, onChange }: { days: TokenDays; onChange: (days: TokenDays) => void }) {
  return (
    <SelectField
      label="Expires after"
      value={days}
      onChange={({ currentTarget }) =>
        onChange(TOKEN_DAYS.find((one) => String(one) === currentTarget.value) ?? 90)
      }
    >
      {TOKEN_DAYS.map((one) => (
        <option key={one} value={one}>
          {one} days
        </option>
      ))}
    </SelectField>
  );
}

function SignInAgain() {
  return (
    <div className={styles['actions']}>
      <p className={common['note']}>You signed in a while ago. To make a token, sign in again.</p>
      <ButtonLink href="/login?again=1&returnTo=/profile/edit/tokens">Sign in again</ButtonLink>
    </div>
  );
}

type ScopeSwitchesProps = {
  isAdmin: boolean;
  scopes: readonly TokenScope[];
  onChange: (scopes: readonly TokenScope[]) => void;
};

function ScopeSwitches({ isAdmin, scopes, onChange }: ScopeSwitchesProps) {
  return TOKEN_SCOPES.filter((scope) => scope !== 'admin' || isAdmin).map((scope) => (
    <Switch
      key={scope}
      {...TOKEN_SCOPE_LABELS[scope]}
      checked={scopes.includes(scope)}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
      }
    />
  ));
}
