import { Component, type ReactNode } from 'react';
import { Page, PageTitle } from '#web/ui/page.tsx';
import { FailedState } from '#web/ui/state-message.tsx';

type ErrorBoundaryProps = {
  /** A change of it, such as another page, gives the content another chance. */
  resetKey: string;
  children: ReactNode;
};

type ErrorBoundaryState = { failedKey: string | null };

/** Stands in for a page that could not be drawn; the navigation around it keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failedKey: null };

  override componentDidCatch(): void {
    this.setState({ failedKey: this.props.resetKey });
  }

  override render(): ReactNode {
    if (this.state.failedKey !== this.props.resetKey) return this.props.children;
    return (
      <Page>
        <PageTitle className="visually-hidden">Something went wrong</PageTitle>
        <FailedState title="This page could not be shown." onRetry={() => window.location.reload()}>
          Try again; if it stays like this, go back to the <a href="/">home page</a>.
        </FailedState>
      </Page>
    );
  }
}
