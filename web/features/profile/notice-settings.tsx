import { useQuery } from '@tanstack/react-query';
import type { SyntheticEvent } from 'react';
import { Link } from 'wouter';
import { NOTICE_KIND_LABELS, NOTICE_KINDS, type NoticeKind } from '#contract/notices/labels.ts';
import { mayAdminister, mayModerate } from '#contract/people/labels.ts';
import type { User } from '#contract/people/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import common from '#web/ui/common.module.css';
import { createFormDraft } from '#web/ui/form-draft.ts';
import { Form } from '#web/ui/form.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { Headings, Table } from '#web/ui/table.tsx';
import table from '#web/ui/table.module.css';
import { useCall } from '#web/ui/use-call.ts';
import { QueryState } from '#web/ui/state-message.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SaveChanges, SAVING } from './save-changes.tsx';

type Settings = Answer<'GET /api/notices/settings'>;

const useNoticeDraft = createFormDraft<Settings>();

type NoticeSettingsProps = { user: User; onSaved: () => void };

/** Lets users choose of which kinds they get notices, and which of these their mails have. */
export function NoticeSettings(props: NoticeSettingsProps) {
  const settings = useQuery(apiQuery('GET /api/notices/settings'));
  if (!settings.data) return <QueryState noun="notice settings" query={settings} />;
  return <NoticeForm settings={settings.data} {...props} />;
}

/** Tells which users receive a kind of notice that is not for everybody. */
const RECIPIENTS: Partial<Record<NoticeKind, (user: User) => boolean>> = {
  lap_answered: mayModerate,
  file_refused: ({ role }) => role === 'owner',
  tracks_asked: mayAdminister,
};

function NoticeForm({ settings, user, onSaved }: NoticeSettingsProps & { settings: Settings }) {
  const { fields: draft, change, clear } = useNoticeDraft(settings);
  const onDone = () => {
    clear();
    onSaved();
  };
  const { run, isBusy } = useCall('PUT /api/notices/settings', { ...SAVING, onDone });
  const { data: methods } = useQuery(apiQuery('GET /api/auth/sign-in-methods'));
  const kinds = NOTICE_KINDS.filter((kind) => RECIPIENTS[kind]?.(user) ?? true);

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    void run({ body: draft });
  }

  return (
    <Form className={common['stack']} onSubmit={submit}>
      <ProfileSection title="Notices">
        <p className={common['lead']}>
          The bell has a notice at once.{' '}
          {methods?.sendsMail === false ? (
            'This server sends no mail.'
          ) : user.emailUpdates ? (
            'One mail a day has those that are new.'
          ) : (
            <>
              One mail a day has those that are new, once Email Updates are on in your{' '}
              <Link href="/profile/edit">profile</Link>.
            </>
          )}
        </p>
        <Table
          caption="Notices by kind, with the ways they reach you"
          head={<Headings columns={{ Kind: '', Bell: '', Mail: '' }} />}
        >
          {kinds.map((kind) => (
            <KindRow key={kind} kind={kind} settings={draft} onChange={change} />
          ))}
        </Table>
      </ProfileSection>
      <SaveChanges isBusy={isBusy} onCancel={clear} />
    </Form>
  );
}

type KindRowProps = { kind: NoticeKind; settings: Settings; onChange: (settings: Settings) => void };

/** A kind without a notice has nothing to mail. */
function KindRow({ kind, settings, onChange }: KindRowProps) {
  const { label, hint } = NOTICE_KIND_LABELS[kind];
  const { muted, mutedInMail } = settings;
  const isMuted = muted.includes(kind);
  return (
    <tr>
      <th scope="row">
        {label}
        <span className={table['part']}>{hint}</span>
      </th>
      <td className={table['action']}>
        <Switch
          label={`${label}: bell`}
          hideLabel
          checked={!isMuted}
          onChange={() => onChange({ ...settings, muted: toggle(muted, kind) })}
        />
      </td>
      <td className={table['action']}>
        <Switch
          label={`${label}: mail`}
          hideLabel
          disabled={isMuted}
          checked={!isMuted && !mutedInMail.includes(kind)}
          onChange={() => onChange({ ...settings, mutedInMail: toggle(mutedInMail, kind) })}
        />
      </td>
    </tr>
  );
}

/** Keeps the order of the kinds, so that two changes back and forth are none. */
function toggle(kinds: readonly NoticeKind[], kind: NoticeKind): NoticeKind[] {
  return NOTICE_KINDS.filter((one) => kinds.includes(one) !== (one === kind));
}
