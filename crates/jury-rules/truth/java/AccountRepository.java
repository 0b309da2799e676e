package bank;

import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import org.hibernate.Session;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class AccountRepository {
    @PersistenceContext
    private EntityManager entityManager;
    private final JdbcTemplate jdbc;

    AccountRepository(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/accounts")
    public List<?> search(@RequestParam("owner") String owner) {
        String jpql = "select a from Account a where a.owner = '" + owner.trim() + "'";
        return entityManager.createQuery(jpql).getResultList();
    }

    @GetMapping("/accounts/bound")
    public List<?> searchBound(@RequestParam("owner") String owner) {
        return entityManager.createQuery("select a from Account a where a.owner = :owner")
                .setParameter("owner", owner)
                .getResultList();
    }

    @GetMapping("/accounts/{iban}/balance")
    public Long balance(@PathVariable String iban) {
        return this.jdbc.queryForObject(
                "SELECT balance FROM account WHERE iban = '" + iban + "'", Long.class);
    }

    @GetMapping("/accounts/{iban}/limit")
    public Long limit(@PathVariable String iban) {
        return jdbc.queryForObject("SELECT credit FROM account WHERE iban = ?", Long.class, iban);
    }

    @GetMapping("/accounts/{id}/history")
    public List<?> history(@PathVariable long id, Session session) {
        return session.createNativeQuery("SELECT * FROM history WHERE account = " + id).list();
    }

    public List<?> audit(Session session, String actor) {
        return session.createNativeQuery("SELECT * FROM audit WHERE actor = '%s'".formatted(actor)).list();
    }
}
